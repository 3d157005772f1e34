"use strict";
(() => {
  const articles = [...document.querySelectorAll("article")];
  const articleOf = new Map(articles.map((article) => [article.id, article]));
  const rows = [...document.querySelectorAll("#tree li")];
  const idOf = (row) => row.firstElementChild.getAttribute("href").slice(1);
  const rowOf = new Map(rows.map((row) => [idOf(row), row]));
  const newestChild = new Map(articles.map((article) => [article.dataset.parent, article.id]));
  const search = document.getElementById("search");
  const found = document.getElementById("found");
  const tree = document.getElementById("tree");
  let here = null;

  const pathThrough = (id) => {
    const path = new Set();
    for (let up = id; articleOf.has(up) && !path.has(up); up = articleOf.get(up).dataset.parent) path.add(up);
    for (let down = newestChild.get(id); down && !path.has(down); down = newestChild.get(down)) path.add(down);
    return path;
  };

  const show = (id, place = "start") => {
    const article = articleOf.get(id);
    if (!article) return;
    if (article.hidden) {
      const path = pathThrough(id);
      for (const each of articles) each.hidden = !path.has(each.id);
      for (const row of rows) row.classList.toggle("on", path.has(idOf(row)));
    }
    for (const each of here ? [articleOf.get(here), rowOf.get(here)] : []) each.classList.remove("here");
    here = id;
    article.classList.add("here");
    rowOf.get(id).classList.add("here");
    rowOf.get(id).scrollIntoView({ block: "nearest" });
    article.scrollIntoView({ block: place });
  };

  const wanted = () => {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch {
      return "";
    }
  };
  addEventListener("hashchange", () => show(wanted()));
  tree.addEventListener("click", (event) => {
    const row = event.target.closest("li");
    if (row) show(idOf(row));
  });

  const step = (by) => {
    const seen = rows.filter((row) => row.offsetParent !== null);
    const focused = document.activeElement.closest("#tree li") || rowOf.get(here);
    const at = focused ? seen.indexOf(focused) + by : 0;
    const row = seen[Math.max(0, Math.min(seen.length - 1, at))];
    if (row) row.firstElementChild.focus();
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = document.activeElement === search;
    const inTree = document.activeElement.closest("#tree") || document.activeElement === document.body;
    if (event.key === "/" && !typing) search.focus();
    else if (event.key === "Escape" && typing) {
      search.value = "";
      look();
      search.blur();
    } else if (event.key === "Enter" && typing) next(event.shiftKey ? -1 : 1);
    else if (event.key === "ArrowDown" && (inTree || typing)) step(1);
    else if (event.key === "ArrowUp" && inTree) step(-1);
    else return;
    event.preventDefault();
  });

  const words = new Map();
  const wordsOf = (article) => {
    if (!words.has(article.id)) words.set(article.id, article.textContent.toLowerCase());
    return words.get(article.id);
  };
  let hits = [];
  let at = -1;
  const look = () => {
    const query = search.value.trim().toLowerCase();
    hits = query ? articles.filter((article) => wordsOf(article).includes(query)) : [];
    at = -1;
    const ids = new Set(hits.map((hit) => hit.id));
    for (const row of rows) row.classList.toggle("hit", ids.has(idOf(row)));
    found.textContent = query ? (hits.length ? `${hits.length} found` : "nothing found") : "";
    if (CSS.highlights) CSS.highlights.delete("found");
  };
  const next = (by) => {
    if (!hits.length) return;
    at = (at + by + hits.length) % hits.length;
    found.textContent = `${at + 1} of ${hits.length}`;
    show(hits[at].id);
    paint(hits[at], search.value.trim().toLowerCase());
  };
  const paint = (article, query) => {
    const ranges = [];
    const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode.data.toLowerCase();
      for (let start = text.indexOf(query); start >= 0; start = text.indexOf(query, start + query.length)) {
        if (start + query.length > walker.currentNode.length) break;
        const range = new Range();
        range.setStart(walker.currentNode, start);
        range.setEnd(walker.currentNode, start + query.length);
        ranges.push(range);
      }
    }
    for (const range of ranges) {
      const fold = range.startContainer.parentElement.closest("details");
      if (fold) fold.open = true;
    }
    if (CSS.highlights) CSS.highlights.set("found", new Highlight(...ranges.slice(0, 1000)));
    if (ranges.length) ranges[0].startContainer.parentElement.scrollIntoView({ block: "center" });
  };
  search.addEventListener("input", look);

  const filters = [...document.querySelectorAll("#filters button")];
  const filter = (name) => {
    document.body.dataset.filter = name;
    for (const button of filters) button.setAttribute("aria-pressed", String(button.dataset.filter === name));
  };
  for (const button of filters) button.addEventListener("click", () => filter(button.dataset.filter));

  let folded = [];
  addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("article:not([hidden]) details:not([open])")];
    for (const each of folded) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of folded) each.open = false;
  });

  document.body.classList.remove("plain");
  filter("all");
  if (location.hash) show(wanted());
})();
