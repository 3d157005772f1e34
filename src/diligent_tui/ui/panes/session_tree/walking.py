"""Where the keys lead in the tree: to the parent, into a branch, to the branch beside; pure, by row numbers."""

from diligent_tui.ui.panes.session_tree.outline import Branch, Outline


def way_left(outline: Outline, position: int) -> int:
    """To the prompt of the turn, then to the start of the branch, then to the row it parted from."""
    row = outline.rows[position]
    if row.id == row.branch.start_id:
        above = outline.nearest(outline.above(row.id))
        return position if above is None else above
    nodes = outline.tree.nodes
    if not nodes[row.id].is_prompt:
        for earlier in range(position - 1, -1, -1):
            other = outline.rows[earlier]
            if other.branch is not row.branch:
                break
            if nodes[other.id].is_prompt:
                return earlier
    start = outline.position(row.branch.start_id)
    return position if start is None else start


def next_branch(outline: Outline, position: int) -> int | None:
    """The start of the next branch of the same fork, else of an outer fork; in the trunk, the first one below."""
    branch: Branch | None = outline.rows[position].branch
    if outline.rows[position].branch.depth == 0:
        rows = outline.rows
        return next((later for later in range(position + 1, len(rows)) if rows[later].starts_branch), None)
    while branch is not None and branch.depth > 0:
        beside = _beside(outline, branch, 1)
        if beside is not None:
            return outline.position(beside)
        branch = branch.parent
    return None


def previous_branch(outline: Outline, position: int) -> int | None:
    """The start of this branch, then of the one before it, else of the branch around it."""
    row = outline.rows[position]
    if row.branch.depth == 0:
        return None
    if row.id != row.branch.start_id:
        return outline.position(row.branch.start_id)
    beside = _beside(outline, row.branch, -1)
    if beside is not None:
        return outline.position(beside)
    around = row.branch.parent
    return outline.position(around.start_id) if around is not None else None


def others_to_fold(outline: Outline) -> set[str]:
    """The starts of all branches that the leaf is not on."""
    return {row.id for row in outline.rows if row.starts_branch and not outline.is_on_path(row.id)}


def _beside(outline: Outline, branch: Branch, step: int) -> str | None:
    siblings = outline.below(outline.above(branch.start_id))
    index = siblings.index(branch.start_id) + step
    return siblings[index] if 0 <= index < len(siblings) else None
