"""A hundred commands as a coding agent runs them to look around; none of them changes anything.

Those in ASKED are asked about all the same, each for its reason; there may be five.
"""

ORDINARY = r"""
ls
ls -la
ls -la src
ls -1 src/*.py
ls -lhS src
ls -R src
ls src tests
ls -la src 2>/dev/null
pwd
pwd && ls -la
cat README.md
cat -n src/main.py
cat src/main.py src/util.py
cat src/*.py | head -50
cat package.json | jq .scripts
cat README.md && cat src/main.py
cat src/missing.py 2>/dev/null || echo "not there"
head -20 README.md
head -n 40 src/main.py
head -c 200 README.md
tail -20 README.md
tail -n +10 src/main.py | head -n 20
wc -l src/*.py
wc -l README.md src/main.py
find . -name "*.py"
find . -type f -name "*.py" -not -path "./node_modules/*"
find src -type f | wc -l
find . -maxdepth 2 -type d
find . -name "*.py" | head -20
find . -name '*.ts' -o -name '*.tsx'
find . \( -name "*.md" -o -name "*.txt" \) -print
find . -path ./node_modules -prune -o -name "*.js" -print
find src -name "*.py" -newer README.md
find . -type f -size +100k | sort
find . -name "test_*.py" | sort | uniq -c
find src -name "*.py" -exec wc -l {} +
find . -name "*.py" | xargs grep -l "import"
grep -rn "TODO" src
grep -rn "def main" src --include="*.py"
grep -n "import" src/main.py
grep -rl "Layer" src tests
grep -c "^def" src/main.py
grep -E "foo|bar" src/main.py
grep -rn "foo\|bar" src | head -20
grep -rniE "class \w+\(" src | sort
grep -A3 -B3 "def main" src/main.py
grep -v "^#" README.md
grep -rn --include=*.py -w "os" src
grep -rn "TODO" . --include="*.py" --exclude-dir=node_modules
rg "def main"
rg -n "TODO" src
rg -l "import os" -t py
rg -i "readme" -g "*.md"
rg --files
rg --files | wc -l
rg -n -A 3 "class Layer" src tests
fd -e py
tree -L 2
tree -L 3 -I "node_modules|.git"
git status
git status --short
git status -sb
git log --oneline -10
git log --oneline --graph --all -n 20
git log -p -1
git log --format="%h %an %s" -5
git log --since="2 weeks ago" --oneline
git log --oneline -- src/main.py
git diff
git diff --stat
git diff --cached
git diff HEAD~1
git diff main...HEAD --name-only
git diff HEAD -- src/main.py
git show HEAD
git show --stat HEAD
git show HEAD~2:src/main.py
git branch
git branch -a
git branch --show-current
git rev-parse HEAD
git rev-parse --abbrev-ref HEAD
git rev-parse --show-toplevel
git ls-files
git ls-files src | head
git blame src/main.py
git blame -L 10,20 src/main.py
git remote -v
git tag --list
git stash list
git --no-pager log -3
git describe --tags
cd src && ls -la
cd src && grep -n "def" main.py | head
sed -n '1,40p' src/main.py
sed -n '10,20p;30q' src/main.py
awk '{print $1}' README.md
sort README.md | uniq
diff src/main.py src/util.py
diff -u src/main.py src/util.py | head -40
which python3 node
python3 --version && node --version
env | sort
file src/main.py
du -sh src
df -h .
stat README.md
date
uname -a
echo "done"
test -f README.md && echo yes
basename src/main.py
realpath src
sha256sum README.md
tr -d '\r' < README.md | wc -l
cut -d, -f1 data.csv | sort -u | head
ls nowhere; echo "---"; cat README.md
ls -la # what is here
""".strip("\n").splitlines()

ASKED = {
    'find src -name "*.py" -exec wc -l {} +': "find would run a program",
    'find . -name "*.py" | xargs grep -l "import"': "a file name with a blank in it would be two words",
    "awk '{print $1}' README.md": "awk is a language that can run programs",
    "env | sort": "the environment is not a file of the workspace",
}
