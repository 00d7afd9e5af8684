#!/bin/sh
test_description='what repair is measured by: the injector, and the bench around it'
. "$(dirname "$0")/../cli/lib.sh"

export PYTHONDONTWRITEBYTECODE=1
inject=$SOURCE/tests/repair/inject.py
test_have_prereq SANDBOX && export SANDBOX=1

unittest() {
	(cd "$SOURCE/tests/repair" && python3 -m unittest "$1")
}

check 'each kind breaks Python' 'unittest test_inject_python'

check NODE 'each kind breaks JavaScript' 'unittest test_inject_javascript'

check 'what the bench is made of' 'unittest test_bench'

check 'pairs of releases, and the mistakes that are found in them' 'unittest test_pairs'

check 'the kinds of change that small fixes make' 'unittest test_fixes'

check 'the same seed breaks the same place, another one another' '
	cp "$SOURCE/scenarios/demo/shop/shop/cart.py" . &&
	for seed in 1 2 3 4; do "$inject" --seed $seed cart.py >$seed &&
	"$inject" --seed $seed cart.py | cmp - $seed || exit; done &&
	test $(sort -u 1 2 3 4 | grep -c "^cart.py:") -gt 1
'

check 'what it prints is a patch' '
	"$inject" --kind "wrong constant" cart.py | sed 1d >patch && cp cart.py before.py &&
	git apply -p0 patch &&
	! cmp -s cart.py before.py && python3 -m py_compile cart.py
'

check 'a kind that has no place is told' '
	echo "x = 1" >flat.py && test_expect_code 1 "$inject" --kind "deleted guard" flat.py 2>err &&
	grep "has no place for deleted guard" err
'

check 'the bench knows its packages' '
	XDG_CACHE_HOME=$PWD/cache test_expect_code 1 "$SOURCE/tests/bench/repair" --only nobody 2>err &&
	grep "no package is called nobody" err
'

test_done
