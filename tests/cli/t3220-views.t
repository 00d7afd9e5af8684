#!/bin/sh
test_description='rondo show --tests and --timeline (24, 3)'
. "$(dirname "$0")/lib.sh"

check 'a run that is verified: what is fixed comes first, then what passes as before' '
	tiny repo && cd repo && fix >../out && "$RONDO" show --tests >../seen && cd .. &&
	cat >expected <<-\EOF && test_cmp expected seen
	1 of 2 passed before; 2 of 2 passed in the fresh checkout

	✓ failed   passed   area
	✓ passed   passed   double

	1 failed before and pass, 1 pass as before
	EOF
'

# pytest_suite: a module and tests of it, one of which fails.
pytest_suite() {
	mkdir suite && cd suite && git init -q &&
		printf "def add(a, b):\n    return a - b\n" >calc.py &&
		cat >test_calc.py <<-\EOF && commit_all
		import time

		import pytest
		from calc import add

		def test_add():
		    assert add(2, 2) == 4

		def test_zero():
		    assert add(1, 0) == 1

		@pytest.mark.skip
		def test_later():
		    assert False

		@pytest.mark.parametrize("n", [0, 7])
		def test_slow(n):
		    time.sleep(0.1)
		EOF
}

check 'ids as the runner has them, times, and what is skipped' '
	pytest_suite && fix --test "python3 -m pytest -q" >../out &&
	"$RONDO" show --tests >../seen && grep "^✓ failed   passed   test_calc.py::test_add" ../seen &&
	grep "^· skipped  skipped  test_calc.py::test_later" ../seen &&
	grep "^✓ passed   passed   test_calc.py::test_slow\[7\]   [0-9.]* s$" ../seen &&
	grep "^1 failed before and pass, 1 skipped, 3 pass as before$" ../seen
'

check 'somebody'\''s change: what it breaks' '
	cd suite && printf "def add(a, b):\n    return b - a\n" >calc.py &&
	test_expect_code 1 "$RONDO" verify --executor $EXECUTOR --test "python3 -m pytest -q" >../out &&
	"$RONDO" show --tests >../seen &&
	grep "^✗ passed   failed   test_calc.*::test_zero" ../seen &&
	grep "^  *assert -1 == 1$" ../seen &&
	grep "^✗ failed   failed   test_calc.*::test_add" ../seen &&
	grep "^1 passed before and fail, 1 fail, 1 skipped, 2 pass as before$" ../seen
'

check 'what nobody could fix: as the tester saw it; a run without tests is told' '
	mkdir red && cd red && git init -q &&
	printf "echo 1..2; echo \"not ok 1 - no\"; echo \"ok 2 - yes\"; exit 1\n" >check.sh &&
	commit_all && test_expect_code 1 fix --test "sh check.sh" --limit candidates=1 >../out &&
	"$RONDO" show --tests >../seen && head -1 ../seen | grep "^1 of 2 passed before" &&
	grep "^✗ failed .*  no$" ../seen && cd .. &&
	cat >talk.yaml <<-\EOF &&
	task: Say it.
	models: {script: {provider: replay, replies: [Well, "DONE"]}}
	agents: {speaker: {type: coder, model: script}}
	team: {participants: speaker, termination: {text_mention: DONE}}
	EOF
	"$RONDO" run talk.yaml >out && test_expect_code 2 "$RONDO" show --tests 2>none &&
	grep "^rondo: run .* kept no results of tests$" none
'

check 'names of tests steer no terminal' '
	tiny hostile && cd hostile && sed -i "s/\"double\"/chr(0x202e) + \"double\"/" tests/run.py &&
	git commit -qam evil && fix >../out && "$RONDO" show --tests --color always >../seen &&
	grep "passed   passed   .*double" ../seen && ! grep "$(printf "\342\200\256")" ../seen
'

check 'the time line: stages, turns, calls of models, searches and suites' '
	tiny line && (cd line && fix >../out) && "$RONDO" show --timeline >seen && python3 -c "
import re
rows = open(\"seen\").read().splitlines()
assert rows[0].split() == [\"start\", \"length\"], rows
names = [row[55:] for row in rows[1:]]
stages = [re.split(\":\", name)[0] for name in names if not name.startswith(\" \")]
assert stages == [\"checkout\", \"baseline\", \"chat\", \"gate\", \"result\"], names
assert [name for name in names if re.match(\"  turn 1: coder\", name)], names
assert [name for name in names if re.match(\"    search: tried\", name)], names
assert [name for name in names if re.match(\"    suite: TESTS PASS\", name)], names
bars = [row[23:53] for row in rows[1:]]
assert all(re.fullmatch(\" *(#+|=+) *\", bar) for bar in bars), bars
ends = [len(bar.rstrip()) for bar in bars if \"#\" in bar]
assert ends == sorted(ends), bars
" && "$RONDO" run talk.yaml >out && "$RONDO" show --timeline >seen &&
	grep "  turn 2: speaker$" seen && test "$(grep -c "    model script$" seen)" = 2
'

check 'a run that was killed: what did not end' '
	tiny killed && cd killed && interrupted KILL --coder "sleep 300" &&
	"$RONDO" show --timeline >../seen &&
	grep "  turn 1: coder (did not end)$" ../seen && grep "chat (did not end)$" ../seen
'

check 'on a terminal a line of the time line is a line' '
	cd line && fix >../out && for columns in 40 80; do
		TERM=xterm "$SOURCE/tests/cli/on-a-terminal" -w $columns-$columns "$RONDO" show --timeline \
			>../seen || return 1
	done && sed "s/$(printf "\033")\[[0-9;]*m//g" ../seen | tr -d "\r" >../lines &&
	! grep "^.\{81\}" ../lines && grep "\.\.\.$" ../lines
'

test_done
