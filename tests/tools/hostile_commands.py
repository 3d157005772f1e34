"""Commands that must never run without a question, by the trick they try; the workspace is the one of `furnish`.

The harm is only named in them. None of them is run by any test.
"""

from pathlib import Path

PLAIN_FILES = ("README.md", ".env", "data.csv", "package.json", "src/main.py", "src/util.py", "src/a file.txt")
SAFE_GIT_CONFIG = """\
[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
[remote "origin"]
\turl = https://example.com/swans.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
\tremote = origin
\tmerge = refs/heads/main
"""


def furnish(root: Path) -> None:
    """A small project with secrets in it, and links that lead out of it."""
    for folder in ("src", "tests", "keys", ".git/hooks", ".git/objects", ".git/refs", "bare/objects", "bare/refs"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    for name in PLAIN_FILES:
        (root / name).touch()
    (root / "keys" / "server.pem").touch()
    (root / "bare" / "HEAD").touch()
    (root / "-la").touch()
    (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (root / ".git" / "config").write_text(SAFE_GIT_CONFIG)
    (root / "out").symlink_to("/etc")
    (root / "passwd_link").symlink_to("/etc/passwd")
    (root / "src" / "leak.txt").symlink_to("/etc/passwd")


def _lines(text: str) -> list[str]:
    return text.strip("\n").splitlines()


SEPARATORS = [
    "ls; rm x",
    "ls;rm x",
    "ls ; rm x",
    "ls && rm x",
    "ls || rm x",
    "ls & rm x",
    "ls &",
    "ls&rm x",
    "ls | sh",
    "ls |sh",
    "ls | bash -s",
    "ls |& sh",
    "ls\nrm x",
    "ls\n\nrm x",
    "ls\r\nrm x",
    "ls\rrm x",
    "ls \\\nrm x",
    "ls \\\n; rm x",
    "ls\u2028rm x",
    "ls\u2029rm x",
    "ls\u0085rm x",
    "ls\x0brm x",
    "ls\x0crm x",
    "ls\trm x",
    "ls\0rm x",
    "ls;;rm x",
    "ls ;& rm x",
    "(rm x)",
    "( ls; rm x )",
    "{ rm x; }",
    "{ ls; }",
    "! rm x",
    "! ls",
    "# ls\nrm x",
    "ls # note\nrm x",
    "ls #\\\nrm x",
    "ls && # then\nrm x",
    "; rm x",
    "&& rm x",
    "ls &&",
    "ls |",
    "ls && && ls",
    "ls | | ls",
    "; ".join(["echo a"] * 51) + "; rm x",
    " && ".join(["ls"] * 60),
    "ls" + " " * 3_000 + "; rm x",
]

SUBSTITUTIONS = [
    "echo $(rm x)",
    "echo `rm x`",
    'echo "$(rm x)"',
    'echo "`rm x`"',
    'echo "a$(rm x)b"',
    "ls $(echo src)",
    "ls `echo src`",
    "cat <(rm x)",
    "cat >(rm x)",
    "echo $((1+1))",
    "echo $[1+1]",
    "echo ${x:-$(rm x)}",
    "echo ${x}",
    "echo $x",
    'echo "$x"',
    'echo "${x}"',
    "echo $IFS",
    "cat$IFS/etc/passwd",
    "cat${IFS}README.md",
    "l${x}s",
    "$SHELL",
    "echo $'a'",
    "echo $'\\x2d'",
    'echo $"a"',
    "echo \"$'a'\"",
    "echo $0",
    "echo $?",
    "echo $$",
    "echo $!",
    "echo $@",
    'echo "$*"',
    'echo "a$\\(rm x)"',
    "echo ${!x}",
    "echo ${x@P}",
    "ls ~",
    "ls ~/x",
    "ls ~root",
    "ls ~+",
    "cat x=~/y",
    "echo {a,b}",
    "cat {/etc/passwd,README.md}",
    "{cat,/etc/passwd}",
    "echo {1..9}",
    "echo @(a|b)",
    "ls [a-z]*",
    "ls !(x)",
    "cat [.]env",
    "cat .[e]nv",
    "cat */server.pem",
    "cat k*/*.pem",
    "echo \\$(rm x)",
    "echo a\\b",
    "echo \\",
    "echo 'unfinished",
    'echo "unfinished',
    "echo 'a' \"b",
    'echo "a\nb"',
    "echo 'a\nrm x'",
]

WORDS_OF_THE_SHELL = _lines(r"""
if true; then rm x; fi
for f in a; do rm x; done
while true; do rm x; done
until false; do rm x; done
case x in x) rm x;; esac
select f in a; do rm x; done
function ls { rm x; }
ls() { rm x; }
ls () { rm x; }; ls
time rm x
time ls
coproc rm x
[[ -f x ]]
[ -f x ]
[[ a[$(rm x)] -eq 1 ]]
test -v a[x]
test -f README.md -a -f x
test -f /etc/passwd
test -f .env
eval ls
eval "rm x"
source x
source README.md
. x
. ./README.md
exec ls
exec rm x
trap ls EXIT
trap 'rm x' EXIT
alias ls=rm
unalias ls
builtin ls
builtin echo a
command ls
command rm x
command -p ls
enable -f x y
set -x
shopt -s extglob
hash -p /bin/rm ls
export PATH=.
export X=1
declare x=1
local x=1
readonly x=1
typeset -f
unset PATH
let x=1
read x
mapfile x
printf -v x y
printf %n PATH; ls
printf x%5n PATH
printf %%%ln PATH
printf '%-*n' 1 PATH
printf -v 'a[$(rm x)]' y
type /etc/passwd
umask 0
ulimit -n 1
cd
cd ..
cd /
cd - && ls
cd out && ls
cd src; rm x
cd nowhere || cat x
cd src && cd .. && cat ../x
cd src && rm x
cd src && cat ../../x
cd src || cat ../x
cd src; cat ../README.md
pushd src
kill 1
wait
jobs
fg
bg
disown
X=1 ls
X=1
PATH=. ls
LD_PRELOAD=./x.so ls
GIT_PAGER=x git log
IFS=x ls
BASH_ENV=x ls
X+=1 ls
a[0]=1 ls
""")

REDIRECTIONS = _lines(r"""
ls > x
ls >x
ls >> x
ls >| x
ls 2> x
ls 2>x
ls &> x
ls &>> x
ls >& x
ls > /dev/null x > y
ls > /dev/nullx
ls >/dev/null/x
ls > /dev/sda
ls > /dev/tcp/host/80
ls 1> x
ls 3> /dev/null
ls 9>&1
ls >&3
ls <> x
cat < /etc/passwd
cat < .env
cat < ../x
cat < ~/x
cat < out/passwd
cat < passwd_link
cat </dev/tcp/host/80
cat 0< README.md
cat <<EOF
cat << 'EOF'
cat <<<x
cat <<< "$(rm x)"
echo x > .git/hooks/pre-commit
echo hi | tee x
cat README.md > "a file"
ls > $x
ls > `rm x`
""")

QUOTING = _lines(r"""
'ls'
"ls"
l's'
l""s
\ls
l\s
'rm' x
r'm' x
r\m x
"r"m x
$'ls'
''ls
ls''x
/bin/ls
./ls
../ls
src/../ls
sub/echo hi
~/bin/ls
*/ls
?s
l?
l*
find . '-delete'
find . "-exec" rm x ";"
find . -del""ete
find . -de'lete'
find . \-delete
sort '-o' x README.md
sort -"o" x README.md
sort "-ox" README.md
git log '--output=x'
rg "--pre=sh" x
cat ''
cat ""
cat '.env'
cat ".e"nv
cat .e""nv
cat './.env'
cat "/etc/passwd"
cat /e'tc'/passwd
cat "~/notes"
cat '~/notes'
""")

UNSEEN = [
    "echo \u200bhidden",
    "ls \u202e",
    "echo 'a\u202eb'",
    'echo "\u2066x"',
    "echo '\x1b[2J'",
    "echo '\x1b]52;c;aGk=\x07'",
    "echo '\x9b31m'",
    "echo '\x7f'",
    "echo '\u00ad'",
    "echo '\U000e0041'",
    "echo '\ufeff'",
    "\ufeffls",
    "ls\u00a0src",
    "ls\u3000src",
    "ls\u2003src",
    "еcho hi",
    "ｌｓ",
    "ls －la",
    "ls —la",
    "cat \u2024env",
    "cat ‘README.md’",
    "ls \ud83d",
    "ls\x08\x08rm x",
    "echo " + "x" * 2_000,
    "echo " + " " * 1_000_000,
    "ls " + "a/" * 1_200,
    "cat " + "x" * 300,
]

WRAPPERS = _lines(r"""
env ls
env
env -i ls
env X=1 ls
env -S ls
printenv
sudo ls
sudo -u root ls
doas ls
su -c ls
watch ls
ionice ls
nice ls
nice -n 5 ls
setsid ls
nohup ls
stdbuf -o0 ls
timeout 5 ls
xargs ls
xargs rm
ls | xargs rm
ls | xargs cat
find . -print0 | xargs -0 rm
parallel ls
strace ls
ltrace ls
busybox ls
busybox rm x
toybox rm x
chroot . ls
unshare ls
flock x ls
script -c ls
ssh host ls
ssh -o ProxyCommand=x host
sh -c ls
bash -c ls
bash -c 'rm x'
dash -c ls
zsh -c ls
bash README.md
bash -x
sh x
sh < README.md
python3 -c 'print(1)'
python3 x.py
python3
python3 -m http.server
python3 --version x
python3 -v
python -V
perl -e 1
ruby -e 1
node -e 1
node x.js
node --version x
node --require ./x --version
php -r 1
lua x
tclsh x
ls | python3
ls | perl -ne 1
""")

PROGRAMS = _lines(r"""
rm x
rm -rf .
rm -rf /
rm -rf ~
rmdir src
mv a b
cp a b
ln -s a b
touch x
mkdir x
chmod +x x
chown x x
dd if=README.md of=x
tee x
truncate -s 0 x
shred x
install a b
patch -p1
kill -9 1
killall x
pkill x
reboot
shutdown now
mount
crontab -l
crontab x
systemctl status
at now
curl example.com
wget example.com
nc host 80
ping host
dig example.com
nslookup example.com
telnet host
ftp host
scp a host:
rsync a b
make
make test
make -n
make --version all
npm test
npm ls
npm run build
npx x
yarn
pnpm i
pip list
pip install x
uv run x
poetry run x
cargo build
cargo --version
rustc --version
go version
go build
go env
mvn test
gradle test
./gradlew test
docker ps
kubectl get pods
terraform plan
psql -c 'select 1'
sqlite3 x
mysql
vim x
vi x
nano x
emacs x
ed x
less README.md
more README.md
man ls
man -P x ls
info ls
apt list
brew list
dpkg -l
ps aux
top
lsof
netstat
ss -tlp
ip a
ifconfig
dmesg
journalctl
history
last
who
passwd
mail x
open x
xdg-open x
pbcopy
xclip
gdb x
ldd x
nm x
objdump -d x
strings @README.md
gcc x.c
gcc --version x.c
cc x.c
clang x.c
awk 1 README.md
awk 'BEGIN{system("rm x")}'
gawk -f x
""")

FIND = _lines(r"""
find . -delete
find . -name x -delete
find . -exec rm {} ;
find . -exec rm {} \;
find . -exec rm {} +
find . -execdir rm {} \;
find . -ok rm {} \;
find . -okdir rm {} \;
find . -fprint x
find . -fprint0 x
find . -fprintf x %p
find . -fls x
find -L .
find -H .
find . -follow
find /
find ..
find ~
find out
find /etc -name passwd
find . /etc
find . -newer /etc/passwd
find . -samefile /etc/passwd
find -files0-from README.md
find . -files0-from README.md
find . -anewer
find . -name
find -D help
find -O3 .
find . -unknown
find . -name -delete
find . -name x -o -delete
find . \( -exec rm x \; \)
find . -regextype x -exec rm x \;
""")

SEARCH = _lines(r"""
rg --pre sh x
rg --pre=sh x
rg --pre-glob x --pre sh x
rg --hostname-bin sh x
rg --hostname-bin=sh x
rg -z x
rg --search-zip x
rg -f README.md x
rg --file README.md
rg --ignore-file x y
rg -L x
rg --follow x
rg x /etc
rg x ..
rg x .env
rg x out
rg -e x /etc
rg --hidden x
rg -uu x
rg x keys
rg -g .env x
rg --glob=.env x
rg -g .e* x
rg -g */.env x
rg --iglob .ENV x
rg --type-add x:*.x y
rg --files /etc
rg
grep x /etc/passwd
grep x .env
grep -r x /etc
grep -r x ..
grep -r x .
grep -r x
grep -rn x keys
grep -rn x . --include=.env
grep -rn x . --include=.e*
grep -rn x . --include=*
grep -rn x . --exclude=a --include=*.py
grep -rn x . --exclude-dir=src
grep -R x src
grep --dereference-recursive x src
grep -f README.md x
grep --file=README.md x
grep -f/etc/passwd x
grep x passwd_link
grep x out/passwd
grep -e x -- /etc/passwd
grep -d recurse x .
grep --directories=recurse x .
grep -D read x .
grep
grep -r
fd -x rm
fd . -X rm
fd --exec rm
fd --exec-batch rm
fd -l x
fd -L x
fd x /etc
fd x --search-path /etc
fd x --base-directory /etc
tree -o x
tree -R
tree /etc
tree -l
tree -H x
tree --fromfile README.md
tree ..
ag x
ack x
locate x
git grep -O x
git grep --open-files-in-pager=sh x
git grep --no-index x /etc
git grep --untracked x
""")

READING = _lines(r"""
cat /etc/passwd
cat ../x
cat src/../../x
cat out/passwd
cat passwd_link
cat src/leak.txt
cat src/*
cat *
cat README.md .env
cat .env
cat ./.env
cat -- .env
cat .env*
cat .e*
cat .en?
cat keys/server.pem
cat keys/*
cat /proc/self/environ
cat /dev/zero
cat /dev/tcp/x/80
cat ~/.ssh/id_rsa
cat -u README.md
cat --help
ls /
ls ..
ls out
ls out/
ls -L src
ls -H out
ls --dereference src
ls --hyperlink
ls -- -x/../..
ls -I x --unknown
head -n 1 /etc/passwd
head -n
head -n x README.md
head --line=5 README.md
tail -f README.md
tail -F README.md
tail --follow README.md
tail -n1f README.md
tail --pid=1 README.md
tail --retry README.md
wc --files0-from=README.md
wc -l /etc/passwd
wc -x README.md
sort -o x README.md
sort -ox README.md
sort --output=x README.md
sort --outp=x README.md
sort --compress-program=sh README.md
sort --compress-prog sh README.md
sort -T /etc README.md
sort --files0-from=README.md
sort -uo x README.md
sort /etc/passwd
sort -S 1 --random-source=/etc/passwd README.md
uniq README.md x
uniq README.md README.md
uniq - x
comm /etc/passwd README.md
cut -f1 /etc/passwd
paste /etc/passwd
nl /etc/passwd
tac /etc/passwd
od /etc/passwd
xxd README.md x
xxd -r README.md x
xxd -r README.md
hexdump -f README.md x
hexdump -e '"%x"' /etc/passwd
base64 README.md
sed -i s/a/b/ README.md
sed -n -i 1p README.md
sed -ni 1p README.md
sed --in-place 1p README.md
sed 's/a/b/e' README.md
sed -n '1e rm x' README.md
sed -n '1w x' README.md
sed -n 'w x' README.md
sed -n '1,5w x' README.md
sed -n '/a/w x' README.md
sed -n '1r /etc/passwd' README.md
sed 's/x/y/w out' README.md
sed -n e README.md
sed -f README.md x
sed -n '1p;e rm x' README.md
sed -n '/[/]/p;w x' README.md
sed -n '/\/w x' README.md
sed -n 1p /etc/passwd
sed -n 1p .env
sed -s 1p README.md
sed -e 1p -e 'w x' README.md
sed
jq -f README.md x
jq --from-file README.md x
jq 'import "x" as x; .' README.md
jq 'include "x"; .' README.md
jq 'input' README.md
jq env
jq '$ENV' README.md
jq -n env
jq --rawfile x /etc/passwd .
jq --slurpfile x /etc/passwd .
jq -L /etc . README.md
jq . /etc/passwd
jq . .env
diff /etc/passwd README.md
diff -r . /etc
diff -r keys src
diff -r src tests
diff --to-file=/etc/passwd README.md
diff a b c
diff -l a b
diff --paginate a b
file -f README.md
file -C -m x
file -z x
file -m x README.md
file /etc/passwd
stat /etc/passwd
du /etc
du --files0-from=README.md
du -X README.md
df /etc
readlink -f out
realpath /etc/passwd
realpath --relative-to=/etc README.md
sha256sum -c README.md
sha256sum --check README.md
md5sum /etc/passwd
column /etc/passwd
date -s 2020-01-01
date --set=now
date --s=now
date -f README.md
date -r /etc/passwd
date 010100002020
hostname evil
hostname -F README.md
id x
uname -a x
whoami x
true x
tr a
which -a /etc/passwd
sleep 100000
sleep x
seq -f %x 1
basename -q
""")
READING.remove("tr a")

GIT = _lines(r"""
git
git commit -m x
git add .
git checkout main
git checkout -- .
git switch main
git restore .
git reset --hard
git clean -fdx
git push
git pull
git fetch
git clone x
git init
git merge x
git rebase x
git cherry-pick x
git revert x
git stash
git stash pop
git stash -p
git stash -p list
git stash drop
git stash clear
git apply x
git am x
git gc
git prune
git bisect run sh
git submodule update
git submodule foreach rm x
git filter-branch
git notes add
git config user.name evil
git config --global user.name evil
git config core.pager
git config --list
git config -e
git config alias.x '!rm x'
git config --get-regexp .
git config -f /etc/passwd --get user.name
git config --add user.name x
git -c core.pager=x log
git -c alias.x=!sh x
git -c core.fsmonitor=x status
git --config-env=core.pager=X log
git --exec-path=. status
git --git-dir=x status
git --git-dir x log
git --work-tree=/ status
git --namespace=x log
git -p log
git --paginate log
git -C /etc status
git -C .. status
git -C out log
git -C bare log
git -C
git -C ~ log
cd bare && git status
git log --output=x
git log --output x
git log -Ox
git log -O x
git log --ext-diff
git log --textconv
git log --show-signature
git log --format=%G?
git log --pretty=%GK
git log --pretty=format:%GS
git diff --output=x
git diff --ext-diff
git diff --textconv
git diff --no-index /etc/passwd README.md
git diff /etc/passwd README.md
git diff /dev/null /etc/passwd
git diff -O/etc/passwd
git diff ../x
git show --ext-diff
git show HEAD:.env
git show HEAD:keys/server.pem
git show main~2:.ssh/id_rsa
git log -- .env
git log -- /etc
git blame --contents /etc/passwd README.md
git blame -S x README.md
git blame .env
git blame --ignore-revs-file=x README.md
git cat-file --textconv HEAD:x
git cat-file --filters HEAD:x
git cat-file --batch
git cat-file -p HEAD:.env
git ls-files -X x
git ls-files --exclude-from=/etc/passwd
git ls-remote
git ls-remote ext::sh
git archive HEAD
git archive --remote=x HEAD
git bundle create x
git branch x
git branch -d x
git branch -D x
git branch -m x
git branch -v x
git branch -a x
git branch -f x
git branch --set-upstream-to=x
git branch --edit-description
git branch -l x
git branch --list -D x
git tag x
git tag -d x
git tag -a x
git tag -f x
git tag -n x
git tag --list -d x
git tag --list --format='%(signature)'
git branch --format=%G?
git remote add x y
git remote remove x
git remote show origin
git remote update
git remote set-url x y
git remote -v update
git reflog expire --all
git reflog delete x
git worktree add x
git worktree remove x
git worktree prune
git worktree -v list x add y
git describe --contains --exec=x
git difftool
git mergetool
git gui
git instaweb
git daemon
git credential fill
git send-email x
git hook run x
git fsmonitor--daemon start
git maintenance run
git help log
git log --help
git status --help
git var GIT_EDITOR
git update-index --refresh
git update-ref x y
git symbolic-ref HEAD x
git rev-parse --parseopt
git rev-parse --local-env-vars
git upload-pack .
git shell -c x
git alias-of-mine
git lg
git rev-list --exclude-from x
git shortlog --output=x
git check-ignore --stdin
git log --all-match --unknown
git log --std
git log --stdin
git diff --submodule=diff --ext
git status --porcelain=x
git status /etc
""")

HOSTILE = [
    "",
    " ",
    "\n",
    "#",
    *SEPARATORS,
    *SUBSTITUTIONS,
    *WORDS_OF_THE_SHELL,
    *REDIRECTIONS,
    *QUOTING,
    *UNSEEN,
    *WRAPPERS,
    *PROGRAMS,
    *FIND,
    *SEARCH,
    *READING,
    *GIT,
]
