#!/bin/sh
test_description='the screen: live line and colour on a terminal, plain lines in a pipe, ASCII'
. "$(dirname "$0")/lib.sh"

escape=$(printf '\033')

# unhurried DIR: like tiny, and a run at the base takes longer than the time between two drawings.
unhurried() {
	tiny "$1" && (
		cd "$1" &&
			sed -i "s/^check:/&\n\t@! grep -q \"width + height\" shapes.py || sleep 0.5/" \
				Makefile && commit_all unhurried
	)
}

check 'on a terminal: a live line that disappears, colour, bold names' '
	unhurried live && cd live &&
	TERM=xterm "$SOURCE/tests/cli/on-a-terminal" "$RONDO" fix --executor $EXECUTOR >../seen &&
	grep "$escape\[32m✓" ../seen && grep "$escape\[1mcoder" ../seen &&
	grep "running the suite twice" ../seen &&
	tr "\r" "\n" <../seen | sed "s/$escape\[[0-9;]*[mK]//g" >../lines &&
	! grep "^.\{81,\}" ../lines &&
	python3 -c "
screen = open(\"../seen\", newline=\"\").read().split(\"\\r\\n\")
for line in screen:
    shown = line.split(\"\\r\\033[K\")[-1]
    assert \"running the suite\" not in shown and \"best so far\" not in shown, shown
"
'

check 'a failing test of a long name that says nothing takes one line' '
	mkdir silent && cd silent && git init -q &&
	printf "echo 1..1; echo \"not ok 1 - %0200d\"; exit 1\n" 0 >check.sh && commit_all &&
	test_expect_code 1 fix --test "sh check.sh" --limit candidates=1 >../out &&
	grep "^ *0000" ../out && ! grep " $" ../out
'

check LONG 'a failing test and its message fit into any window of 38 columns and more' '
	mkdir wide && cd wide && git init -q && git commit -q --allow-empty -m base &&
	printf "1..1\nnot ok 1 - %s-end\n# %s\n" "$(seq -s - 30)" "$(seq -s + 30)" >said &&
	git add said && test_expect_code 1 fix --test "cat said; exit 1" >../out &&
	TERM=xterm "$SOURCE/tests/cli/on-a-terminal" -w 1-200 "$RONDO" show >../seen && python3 -c "
lines = [line for line in open(\"../seen\").read().splitlines() if line.startswith(14 * \" \")]
tests = [i for i, line in enumerate(lines) if line[14] != \" \"]
assert len(tests) == 200, len(tests)
for columns, i in enumerate(tests, 1):
    said = lines[i + 1] if \"+2+3\" not in lines[i] else \"\"
    assert \"-end\" in lines[i] and len(lines[i]) <= max(columns, 38), (columns, lines[i])
    assert not said or \"1+2+3\" in said and len(said) <= max(columns, 38), (columns, said)
"
'

check 'NO_COLOR: the live line without colour' '
	unhurried grey && cd grey &&
	NO_COLOR=1 TERM=xterm "$SOURCE/tests/cli/on-a-terminal" "$RONDO" fix --executor $EXECUTOR \
		>../seen &&
	! grep "$escape\[[0-9;]*m" ../seen && grep "running the suite twice" ../seen
'

check 'in a pipe: plain lines, no escape sequence, no live line' '
	tiny plain && cd plain && fix >../seen && ! grep "$escape\|$(printf "\r")" ../seen &&
	! grep "best so far" ../seen
'

check 'without UTF-8: ok, FAIL and - instead of glyphs' '
	tiny ascii && cd ascii && LC_ALL=C fix >../seen && grep "^- repository" ../seen &&
	grep "^FAIL baseline" ../seen &&
	grep "^ok verified" ../seen && ! LC_ALL=C grep "[^ -~]" ../seen
'

check 'the last block suffices: ten lines at most' '
	tiny end && cd end && fix --quiet >../seen && test $(wc -l <../seen) -le 10 &&
	grep "git merge rondo/" ../seen &&
	grep "git branch -D rondo/" ../seen && grep "git diff main...rondo/" ../seen
'

check 'doctor names each executor and the languages' '
	{ "$RONDO" doctor >seen || test $? = 3; } && grep "local  *always there" seen &&
	grep "languages  python3 [0-9.]*  node" seen &&
	grep "typescript " seen && grep "state " seen
'

check 'install, use and uninstall below DESTDIR' '
	cd "$SOURCE" && unset MAKEFLAGS &&
	make -s install DESTDIR="$HOME/root" PREFIX=/usr MODE="$(basename "$RONDO_BUILD")" \
		>"$HOME/log" 2>&1 &&
	"$HOME/root/usr/bin/rondo" --version && test -s "$HOME/root/usr/share/man/man1/rondo.1" &&
	test -s "$HOME/root/usr/include/rondo.h" &&
	for schema in scenario report; do
		"$RONDO" schema $schema | cmp - "$HOME/root/usr/share/rondo/$schema.schema.json" || exit 1
	done &&
	make -s uninstall DESTDIR="$HOME/root" PREFIX=/usr MODE="$(basename "$RONDO_BUILD")" &&
	test -z "$(find "$HOME/root" -type f)"
'

check 'a man page that could not be made never exists' '
	mkdir bin doc && cp "$SOURCE/doc/rondo.1.scd" doc &&
	cp "$SOURCE/Makefile" "$SOURCE/VERSION" . &&
	printf "#!/bin/sh\necho half\nls pages >seen\nexit 1\n" >bin/scdoc && chmod +x bin/scdoc &&
	! PATH=$PWD/bin:$PATH make -s BUILD=pages pages/rondo.1 2>log &&
	! grep -x "rondo.1" seen && grep "rondo.1" seen && test ! -e pages/rondo.1
'

test_done
