#!/bin/sh
test_description='rondo fix on repositories: one new ref, verified, and nothing else touched'
. "$(dirname "$0")/lib.sh"

check 'the demo: a pytest project, fixed by repair' '
	cp -R "$SOURCE/scenarios/demo/shop" shop && cd shop && git init -q && commit_all &&
	fingerprint >../before &&
	fix --test "/usr/bin/python3 -m pytest -q" >../out &&
	fingerprint >../after && test_cmp ../before ../after &&
	grep "baseline    19 of 21 passed, twice" ../out &&
	grep "TESTS PASS  21 of 21 passed" ../out &&
	grep "verified in a fresh checkout: 21 of 21 passed (was 19)" ../out &&
	grep "+        return apply_discount(subtotal, self.customer_percent)" ../out &&
	grep "\"confidence\":.\"high\"" "$XDG_STATE_HOME"/rondo/runs/*/report.json
'

check 'exactly one ref was made, one commit on main' '
	cd shop && test $(git for-each-ref refs | wc -l) = 2 &&
	test "$(git rev-parse "$(the_branch)^")" = "$(git rev-parse main)" &&
	git log -1 --format=%B "$(the_branch)" >../message &&
	grep "^Rondo-Tests: 21 passed, 0 failed (was 19, 2)$" ../message &&
	grep "^Rondo-Fixed: tests/test_cart.py::test_total_with_customer_discount$" ../message
'

check 'the branch passes in a fresh clone' '
	cd shop && passes_in_clone "/usr/bin/python3 -m pytest -q -p no:cacheprovider"
'

check 'rondo show prints the run again' '
	"$RONDO" show >out && grep "^---------- tester ----------$" out &&
	grep "verified, branch rondo/" out
'

check 'report.json and report.md say what was observed' '
	dir=$(echo state/rondo/runs/*) && grep "\"outcome\":	\"verified\"" "$dir/report.json" &&
	grep "19 of 21 passed before, 21 of 21 after" "$dir/report.md" && test -s "$dir/patch.diff"
'

check 'the cache is empty after the run' '
	test -z "$(ls cache/rondo/work)"
'

check 'the patch applies with git' '
	cd shop && git apply --check ../state/rondo/runs/*/patch.diff
'

check 'a green suite: nothing to fix' '
	tiny green && cd green && sed -i "s/width + height/width * height/" shapes.py &&
	commit_all fixed &&
	fix >../out && grep "nothing to fix: 2 of 2 passed, twice" ../out && test -z "$(the_branch)"
'

check 'rondo finds make check' '
	tiny tiny && cd tiny && fix >../out &&
	grep "tests       make check" ../out &&
	passes_in_clone "make check"
'

check '--branch, --patch, --apply' '
	tiny applied && cd applied && fix --branch my/fix --patch ../fix.diff --apply >../out &&
	git rev-parse --verify -q my/fix && grep "^+    return width \* height" ../fix.diff &&
	grep "width \* height" shapes.py && git diff --quiet my/fix -- &&
	test "$(git symbolic-ref HEAD)" = refs/heads/main
'

check '--goal selects one of the failing tests' '
	tiny goal && cd goal && sed -i "s/x \* 2/x + 2/" shapes.py && commit_all two &&
	fix --goal area --branch only-area >../out && git diff --stat main only-area >../stat &&
	grep "1 insertion(+), 1 deletion(-)" ../stat &&
	git diff main only-area | grep "^+    return width \* height"
'

check 'two bugs, one after the other' '
	tiny two && cd two && sed -i "s/x \* 2/x + 2/" shapes.py && commit_all two &&
	fix >../out && grep "2 of 2 passed (was 0)" ../out &&
	passes_in_clone "make check"
'

check '--protect: a protected file is not changed' '
	tiny guarded && cd guarded &&
	test_expect_code 1 fix --protect shapes.py >../out &&
	grep "not fixed" ../out && test -z "$(the_branch)"
'

check '--apply is refused where the files changed meanwhile, and the branch stays' '
	tiny raced && cd raced &&
	printf "check:\n\t@python3 -S tests/run.py; status=\$\$?; exit \$\$status\n" >Makefile &&
	commit_all && fix --head --apply >../out && git checkout -q -- . &&
	git branch -D "$(the_branch)" -q &&
	echo "# edited" >>shapes.py && test_expect_code 2 fix --head --apply >../out 2>../err &&
	grep "shapes.py" ../err && tail -1 shapes.py | grep "# edited" && test -n "$(the_branch)"
'

check '--dry-run says what would be done and leaves nothing' '
	tiny dry && cd dry && fix --dry-run >../out && grep "limits      turns 40" ../out &&
	grep "make check" ../out && test -z "$(the_branch)"
'

# limited KIB COMMAND...: runs it with this limit of a file's size. A checkout fails; git's objects
# are small.
limited() (
	ulimit -f $((2 * $1)) && shift && "$@"
)

check 'a dry run keeps nothing, and does not check out existing files' '
	rm -rf state cache && tiny plan && cd plan && yes | head -c 600000 >large && commit_all large &&
	limited 200 fix -n >../out &&
	grep "make check *from Makefile" ../out && echo "# edited" >>shapes.py &&
	limited 200 fix -n >../out &&
	grep "1 modified: taken as a snapshot" ../out && grep "make check *from Makefile" ../out &&
	fix -n --json >../out && ! grep "run.start\|run.end\|\"run\":" ../out &&
	"$RONDO" init >../out &&
	test ! -e ../state && test -z "$(ls ../cache/rondo/work)"
'

check 'a dry run with --head names the suite of HEAD' '
	tiny head && cd head && echo "all:" >Makefile && fix -n --head >../out &&
	grep "make check *from Makefile" ../out
'

check 'a dry run of a scenario that copies its files reads them in place' '
	rm -rf state && tiny own && yes | head -c 600000 >own/large && cat >copy.yaml <<-\EOF &&
	workspace: {copy: own}
	agents: {fixer: repair, tester: tester}
	team: {participants: [fixer, tester], termination: tests_pass}
	EOF
	limited 200 "$RONDO" run -n copy.yaml >out && grep "make check *from Makefile" out &&
	grep "nothing was run, nothing is kept" out && test ! -e state
'

check '--json prints only JSON Lines, the result last' '
	tiny json && cd json && fix --json >../out 2>../err && ! test -s ../err &&
	python3 -c "
import json, sys
lines = [json.loads(line) for line in open(\"../out\")]
assert lines[-1][\"type\"] == \"result\" and lines[-1][\"outcome\"] == \"verified\", lines[-1]
assert [l for l in lines if l[\"type\"] == \"baseline\"]
"
'

check '--quiet prints only the last block' '
	tiny quiet && cd quiet && fix --quiet >../out &&
	head -1 ../out | grep "verified in a fresh checkout"
'

check 'rondo.yaml names the test command' '
	tiny yaml && cd yaml && printf "test: make check\n" >rondo.yaml &&
	commit_all && fix >../out && grep "from rondo.yaml" ../out && grep "verified" ../out
'

test_done
