#!/bin/sh
test_description='what the gate checks beside the suite, and what it drops'
. "$(dirname "$0")/lib.sh"

# coder DIR: a scenario whose coder runs the script on standard input in DIR.
coder() {
	{
		printf 'models:\n  said:\n    provider: replay\n    replies:\n      - |\n        ```sh\n'
		sed 's/^/        /'
		printf '        ```\n'
		cat <<-EOF
		agents: {coder: {type: coder, model: said}, executor: executor, tester: tester}
		team: {participants: [coder, executor, tester], termination: tests_pass, max_turns: 3}
		workspace: {repo: $1}
		test: make check
		executor: {type: $EXECUTOR}
		EOF
	} >../coder.yaml
}

check 'a check that succeeds is evidence, one that fails refuses the fix' '
	tiny checked && cd checked && fix --check "grep -q width shapes.py" >../out &&
	"$RONDO" show --json | grep "check .*grep -q width.*: passed" &&
	test_expect_code 1 fix --branch other --check "grep -q nothing shapes.py" >../out &&
	grep "refused: the check .grep -q nothing shapes.py. fails, as it does at the base" ../out &&
	test_must_fail git rev-parse -q --verify other
'

check 'no agent sees the hidden suite, and it has the last word' '
	tiny hidden && mkdir secret &&
	printf "from shapes import area\nassert area(7, 6) == 42\n" >secret/more.py &&
	cd hidden &&
	coder hidden <<-\EOF &&
	ls -R; sed -i "s/width + height/15 if width == 3 else 0/" shapes.py
	EOF
	echo "verify: {hidden: PYTHONPATH=. python3 more.py, hidden_copy: secret}" >>../coder.yaml &&
	test_expect_code 1 "$RONDO" run ../coder.yaml >../out &&
	grep "refused: the hidden suite does not pass" ../out &&
	! grep more.py ../out &&
	sed -i "s/15 if width == 3 else 0/width * height/" ../coder.yaml &&
	"$RONDO" run ../coder.yaml >../out &&
	git show --stat "$(the_branch)" | grep shapes.py &&
	! git show --stat "$(the_branch)" | grep more.py
'

check 'scratch files and debug prints are dropped; documents and passing tests stay' '
	tiny tidy && cd tidy && coder tidy <<-\EOF &&
	sed -i "s/width + height/width * height/
		s/^    return x/    print(\"double of\", x)\n    return x/" shapes.py
	echo "import shapes" >repro.py
	echo "Shapes have areas." >README.md
	printf "%s\n" "from shapes import area" "" "" \
		"def test_more():" "    assert area(2, 2) == 4" >tests/test_more.py
	EOF
	"$RONDO" run ../coder.yaml >../out && grep "dropped  repro.py (a scratch file)" ../out &&
	grep "dropped  shapes.py:6 (a debug print)" ../out &&
	git diff --name-only main "$(the_branch)" >../names &&
	printf "%s\n" README.md shapes.py tests/test_more.py >../expected &&
	test_cmp ../expected ../names && ! git show "$(the_branch)" | grep "double of"
'

check 'clean_up: false keeps all of it' '
	cd tidy && git branch -D "$(the_branch)" && echo "verify: {clean_up: false}" >>../coder.yaml &&
	"$RONDO" run ../coder.yaml >../out &&
	git show "$(the_branch)" | grep "double of" && git show --stat "$(the_branch)" | grep repro.py
'

check 'a refused change of a protected file names the key that allows it' '
	tiny allowed && cd allowed && coder allowed <<-\EOF &&
	sed -i "s/== 15/== 8/; s/!= 15/!= 8/; s/5), 15/5), 8/" tests/run.py
	EOF
	test_expect_code 1 "$RONDO" run ../coder.yaml >../out &&
	grep "refused: it needs a change of what is protected: tests/run.py" ../out &&
	key=$(sed -n "s/^ *help .*if this is what you want: //p" ../out) &&
	test "$key" = "allow_edit: [\"tests/run.py\"]" && printf "%s\n" "$key" >>../coder.yaml &&
	"$RONDO" run ../coder.yaml >../out
'

check 'a line of output can make a run fail, whatever its exit code' '
	tiny loud && cd loud &&
	sed -i "s/width + height/width * height/
		s/^    return x/    print(\"WARNING: odd\")\n    return x/" shapes.py &&
	printf "test: {command: make check, fail_output: [\"^WARNING\"]}\n" >rondo.yaml &&
	commit_all loud &&
	test_expect_code 1 fix --since HEAD --limit candidates=10 >../out &&
	grep "no output matches .^WARNING.*WARNING: odd" ../out
'

# What makes all points equal passes, too, and is tried before what is right.
check LONG 'a test that only the build file calls so is not edited' '
	mkdir named && cd named && git init -q &&
	printf "int area(int a, int b)\n{\n\treturn a + b;\n}\n" >calc.c &&
	printf "int area(int a, int b);\nint main(void)\n{\n\treturn area(3, 5) != 15;\n}\n" >t.c &&
	printf "t: t.c calc.c\n\tcc -o t t.c calc.c\n\ncheck: t\n\t./t\n" >Makefile &&
	echo t >.gitignore && commit_all && fix --branch fixed >../out &&
	git diff --stat main fixed | grep "^ calc.c" && git diff --exit-code main fixed -- t.c
'

check LONG 'an edit that a rule refuses does not end the search' '
	mkdir -p equal/tests && cd equal && git init -q &&
	printf "%s\n" "class Point:" "    def __init__(self, x):" "        self.x = x" "" \
		"    def __eq__(self, other):" "        return False" "" "" "def meet(a, b):" \
		"    return a == b or len(a.x) == 1" >points.py &&
	cat >tests/run.py <<-\EOF &&
	import sys
	sys.path.insert(0, ".")
	from points import Point, meet
	ok = meet(Point("ab"), Point("ab"))
	print("1..1")
	print("ok" if ok else "not ok", 1, "- meet")
	sys.exit(not ok)
	EOF
	printf "check:\n\t@python3 -S tests/run.py\n" >Makefile && commit_all && fix >../out &&
	grep "^coder *points.py:10 " ../out && grep "verified in a fresh checkout: 1 of 1" ../out
'

check 'three runs of the baseline, three of the gate' '
	tiny thrice && cd thrice && printf "test: {repeat: 3}\nverify: {repeat: 3}\n" >rondo.yaml &&
	commit_all rules &&
	fix >../out && grep "1 of 2 passed, each time" ../out &&
	"$RONDO" show --json | grep "run 3, in a fresh checkout"
'

check 'a suite that depends on the path of its checkout is judged at this path' '
	tiny placed && cd placed &&
	printf "check:\n\t@test \$\${PWD##*/} = placed || test -e ../main && python3 tests/run.py\n" \
		>Makefile &&
	commit_all placed && fix >../out &&
	{ test "$EXECUTOR" = local ||
		grep "all runs are at the checkout.s own" ../state/rondo/runs/*/report.md; }
'

test_done
