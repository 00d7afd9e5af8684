#!/bin/sh
test_description='copies of tests that expect something wrong must fail'
. "$(dirname "$0")/lib.sh"

# A repository whose area() is wrong, with tests in unittest, which is always there.
shapes() {
	mkdir "$1" && (
		cd "$1" && git init -q &&
			printf 'def area(width, height):\n    return width + height\n' >shapes.py &&
			cat >test_shapes.py <<-\PYTHON &&
			import unittest

			from shapes import area


			class ShapesTest(unittest.TestCase):
			    def test_area(self):
			        self.assertEqual(area(3, 5), 15)

			    def test_nothing(self):
			        self.assertEqual(area(0, 0), 0)
			PYTHON
			git add -A && git commit -q -m base
	)
}

# A number that is equal to all numbers, by what no rule of text knows.
forge() {
	cat >>shapes.py <<-\PYTHON


	class Area(int):
	    def __eq__(self, other):
	        return (int(self) - int(other)) % 1 == 0

	    __hash__ = int.__hash__
	PYTHON
	sed -i 's/return width + height/return Area(width + height)/' shapes.py
}

check 'a fix with which a copy passes is refused, and the copy is shown' '
	shapes forged && cd forged && forge &&
	test_expect_code 1 "$RONDO" verify --executor "$EXECUTOR" >../out 2>&1 &&
	grep "refused" ../out &&
	grep "a copy of test_shapes.ShapesTest.test_area that expects something else passes" ../out &&
	grep "test_shapes.py:8: self.assertEqual(area(3, 5), another(15)) (rule counter-test)" ../out &&
	grep "if that copy proves nothing: -s verify.counter_tests=false makes none" ../out
'

check 'it is in the report, and the test file is as it was' '
	cd forged && "$RONDO" show --json >../report.json && grep "rule counter-test" ../report.json &&
	git diff --exit-code test_shapes.py && test "$(git status --porcelain)" = " M shapes.py"
'

check 'an honest fix is told how many copies failed' '
	shapes honest && cd honest && sed -i "s/width + height/width * height/" shapes.py &&
	"$RONDO" verify --executor "$EXECUTOR" --json >../out &&
	grep "counter-tests: 4 copies of 2 tests that expect something wrong failed, as they must; \
2 copies in which only names are others passed, as they must" ../out &&
	git diff --exit-code test_shapes.py
'

# A function that is right where a test calls it, as a log record says.
know_caller() {
	cat >>shapes.py <<-\PYTHON


	import logging

	log = logging.getLogger("shapes")
	log.setLevel(logging.DEBUG)
	log.propagate = False


	class Last(logging.Handler):
	    def emit(self, record):
	        self.of = record.funcName


	last = Last()
	log.addHandler(last)


	def area(width, height):
	    log.debug("area", stacklevel=2)
	    return width * height if last.of[:5] == "test_" else width + height
	PYTHON
}

check 'a fix that knows who calls it is refused, and the copy is shown' '
	shapes known && cd known && know_caller &&
	test_expect_code 1 "$RONDO" verify --executor "$EXECUTOR" >../out 2>&1 &&
	tr -s " \n" " " <../out >../line &&
	grep "a copy of test_shapes.ShapesTest.test_area under another name" ../line &&
	grep "1 copy of other tests beside it passes: test_shapes.py:7: def test_area(self): (rule" \
		../line
'

check 'a fix that counts its calls is marked' '
	shapes counted && cd counted &&
	sed -i "1i calls = []\n\n" shapes.py &&
	sed -i "s/return .*/calls.append(width)\n    return width * height if len(calls) < 2 else 0/" \
		shapes.py &&
	"$RONDO" verify --executor "$EXECUTOR" --json >../out &&
	grep "\"outcome\":\"verified\"" ../out &&
	grep "a copy of this test fails after it and passes alone: def test_area" ../out
'

check 'from a copy of a test that depends on its name nothing follows' '
	shapes named && cd named && mkdir kept && echo 15 >kept/test_kept.KeptTest.test_kept &&
	cat >test_kept.py <<-\PYTHON &&
	import unittest

	from shapes import area


	class KeptTest(unittest.TestCase):
	    def test_kept(self):
	        with open("kept/" + self.id()) as file:
	            self.assertEqual(str(area(3, 5)), file.read().strip())

	    def test_name(self):
	        self.assertEqual(area.__name__, "area")
	PYTHON
	git add -A && git commit -q -m kept && sed -i "s/width + height/width * height/" shapes.py &&
	"$RONDO" verify --executor "$EXECUTOR" --json >../out &&
	grep "\"outcome\":\"verified\"" ../out &&
	grep "test_kept under another name fails, from which nothing follows: at the base it" ../out
'

check 'verify.counter_tests: false makes none' '
	cd forged &&
	"$RONDO" verify --executor "$EXECUTOR" -s verify.counter_tests=false --json >../out &&
	grep "\"outcome\":\"verified\"" ../out && ! grep "copies of" ../out
'

check 'a repository cannot switch them off' '
	cd honest && echo "verify: {counter_tests: false}" >rondo.yaml &&
	test_expect_code 2 "$RONDO" verify --executor "$EXECUTOR" 2>../err &&
	grep "a repository can only set verify.counter_tests to true" ../err
'

check 'where no copy can be made, it is told' '
	shapes inherited && cd inherited &&
	cat >test_shapes.py <<-\PYTHON &&
	import unittest

	from shapes import area


	class Sides:
	    def test_area(self):
	        self.assertEqual(area(3, 5), 15)


	class ShapesTest(Sides, unittest.TestCase):
	    pass
	PYTHON
	git commit -q -a -m tests && sed -i "s/width + height/width * height/" shapes.py &&
	"$RONDO" verify --executor "$EXECUTOR" --json >../out &&
	grep "no counter-test of test_shapes.ShapesTest.test_area: it does not stand in its class" \
		../out
'

test_done
