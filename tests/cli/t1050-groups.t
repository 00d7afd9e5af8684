#!/bin/sh
test_description='failing tests of several causes: what is fixed is delivered, the rest is told'
. "$(dirname "$0")/lib.sh"

# A suite that tells of each failure in which of two test files it is; one of area is the new bug,
# those of rate were red before, and nothing mends them.
old_and_new() {
	mkdir -p "$1/tests" && cd "$1" && git init -q &&
	printf '%s\n' 'def rate(year):' '    return {}[year]' >rates.py &&
	printf '%s\n' 'def area(width, height):' '    return width * height' '' '' 'def double(x):' \
		'    return x * 2' >shapes.py &&
	cat >tests/run.py <<-\EOF &&
	import sys
	sys.path.insert(0, ".")
	from rates import rate
	from shapes import area, double

	def rate_of(year):
	    try:
	        return rate(year)
	    except KeyError as error:
	        return error

	tests = [("rate", rate_of(2020) == 7, "rates"), ("new rate", rate_of(2021) == 8, "rates"),
	         ("area", area(3, 5) == 15, "shapes"), ("double", double(4) == 8, "shapes")]
	print("1..4")
	for number, (name, ok, file) in enumerate(tests, 1):
	    print("ok" if ok else "not ok", number, "-", name)
	    ok or print(f"# wrong at tests/test_{file}.py:{number}")
	sys.exit(not all(ok for _, ok, _ in tests))
	EOF
	printf 'check:\n\t@python3 -S tests/run.py\n' >Makefile && commit_all old &&
	sed -i 's/width \*/width +/' shapes.py && commit_all new
}

check 'a new bug is fixed beside old failures: the branch holds it, exit code 1 and both tell' '
	old_and_new part && test_expect_code 1 fix --limit candidates=20 --apply >../out &&
	grep "checkout, in part (1 of 3 goal tests): 2 of 4 passed (was 1)" ../out &&
	grep "red *rate$" ../out && grep "^ *new rate$" ../out &&
	grep "your files are unchanged; --partial" ../out && git diff --exit-code &&
	git show -s --format=%B "$(the_branch)" >../message && grep "^1 test failed:" ../message &&
	sed -n "/^A fix in part/,/^Rondo/p" ../message | grep "^    new rate" &&
	git interpret-trailers --parse <../message >../trailers &&
	grep "^Rondo-Fixed: area$" ../trailers && grep "^Rondo-Unfixed-Count: 2$" ../trailers &&
	test "$(git diff --name-only main "$(the_branch)")" = shapes.py
'

check 'what did not fail before the last commit is searched first' '
	sed -n "/^coder/s/: tried.*//p" out >searched && head -1 searched >first &&
	echo "coder      failures in tests/test_shapes.py, new" | test_cmp - first &&
	grep "failures in tests/test_rates.py" searched
'

check 'the report names the groups, and what is not fixed' '
	report=$(sed -n "s|.*\(rondo/[-0-9a-f]*\) .*|\1|p" out | head -1) &&
	json=$XDG_STATE_HOME/rondo/runs/${report#rondo/}/report.json &&
	python3 - "$json" <<-\EOF
	import json, sys
	report = json.load(open(sys.argv[1]))
	assert (report["outcome"], report["exit_code"]) == ("verified_in_part", 1), report["outcome"]
	assert report["fix"]["unfixed"] == ["rate", "new rate"], report["fix"]
	causes = {test["id"]: test["cause"] for test in report["tests"]["goal"]}
	assert causes["area"] == "failures in tests/test_shapes.py, new", causes
	assert report["tests"]["new"] == ["area"], report["tests"]["new"]
	assert causes["rate"] == causes["new rate"] == "failures in tests/test_rates.py", causes
	EOF
'

check 'of groups of one age the one with a line of the product is searched first' '
	old_and_new placed && sed -i "s|tests/test_{file}.py:{number}|{file}.py:2|
		s|\"shapes\"|\"tests/test_all\"|" tests/run.py &&
	rm -rf .git && git init -q && commit_all all &&
	test_expect_code 1 fix --limit candidates=20 >../out &&
	sed -n "/^coder/s/: tried.*//p" ../out | head -1 >../first &&
	echo "coder      a failure at rates.py:2" | test_cmp - ../first
'

check '--partial applies it' '
	old_and_new partial &&
	test_expect_code 1 fix --limit candidates=20 --apply --partial >../out &&
	grep "applied" ../out && git diff shapes.py | grep "^+.*width \*"
'

check LONG '--all demands all: no branch' '
	old_and_new whole && test_expect_code 1 fix --limit candidates=20 --all >../out &&
	grep "not fixed: 2 of 3 goal tests still fail" ../out && test -z "$(the_branch)"
'

# One whole file of tests, in which nothing says where the bug is.
check LONG 'a new failure is a group of its own among old ones of its test file' '
	old_and_new among && sed -i "s/\"shapes\")/\"all\")/; s/\"rates\")/\"all\")/" tests/run.py &&
	sed -i "2s/+/*/" shapes.py && git commit -qam "one file" && sed -i "2s/*/+/" shapes.py &&
	git commit -qam new &&
	test_expect_code 1 fix --limit candidates=20 >../out &&
	sed -n "/^coder/s/: tried.*//p" ../out | head -1 >../first &&
	echo "coder      failures in tests/test_all.py, new" | test_cmp - ../first &&
	grep "in part (1 of 3 goal tests): 2 of 4 passed (was 1)" ../out
'

check 'if all failed before, uncommitted work goes before commits' '
	old_and_new dirty && git reset -q --soft HEAD~1 && git commit -q --amend -m all &&
	echo "# here" >>rates.py &&
	test_expect_code 1 fix --limit candidates=20 >../out &&
	sed -n "/^coder/s/: tried.*//p" ../out | head -1 >../first &&
	echo "coder      failures in tests/test_rates.py" | test_cmp - ../first
'

check 'a line in a file of Rust that is its tests is no cause of its own' '
	mkdir crate && cd crate && git init -q && mkdir bin src &&
	printf "[package]\nname = \"crate\"\n" >Cargo.toml &&
	cat >src/area.rs <<-\EOF && cat >bin/cargo <<-\EOF2 && chmod +x bin/cargo && commit_all &&
	fn area(w: u8, h: u8) -> u8 {
	    w + h
	}

	#[cfg(test)]
	mod tests {
	    fn a() {
	        assert_eq!(super::area(3, 5), 15);
	    }
	    fn b() {
	        assert_eq!(super::area(4, 4), 16);
	    }
	}
	EOF
	#!/bin/sh
	echo "     Running unittests src/lib.rs (target/debug/deps/crate-0cbcb27d618d0ea7)"
	printf "\nrunning 2 tests\ntest area::a ... FAILED\ntest area::b ... FAILED\n\nfailures:\n"
	for test in a:8 b:11; do
		printf "\n---- area::%s stdout ----\n" "${test%:*}"
		printf "thread \047area::%s\047 panicked at src/area.rs:%s:9:\n" "${test%:*}" "${test#*:}"
		echo "assertion failed"
	done
	printf "\n\nfailures:\n    area::a\n    area::b\n\n"
	echo "test result: FAILED. 0 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out;"
	exit 101
	EOF2
	test_expect_code 1 fix --test "bin/cargo test" --limit candidates=1 --json >../out &&
	grep "\"place\":\"src/area.rs:8\"" ../out && ! grep "failure at src/area.rs" ../out
'

test_done
