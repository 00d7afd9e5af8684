#!/bin/sh
test_description='caches that are cut short or of elsewhere are no mistake of the tree'
. "$(dirname "$0")/lib.sh"

# python DIR: one of two tests is red, and bytecode lies beside the sources.
python() {
	mkdir "$1" && cd "$1" && git init -q && echo __pycache__ >.gitignore &&
	printf "def area(width, height):\n    return width + height\n" >area.py &&
	cat >test_area.py <<-\EOF && commit_all &&
	import unittest
	import area
	class AreaTest(unittest.TestCase):
	    def test_area(self):
	        self.assertEqual(area.area(3, 5), 15)
	    def test_none(self):
	        self.assertEqual(area.area(0, 0), 0)
	EOF
	env -u PYTHONDONTWRITEBYTECODE python3 -c "import area, test_area"
}

# fixed: the sign, by the tests that the sources have.
fixed() {
	fix >../out && grep "verified in a fresh checkout: 2 of 2 passed (was 1)" ../out &&
	git show "$(the_branch):area.py" | grep "width \* height"
}

check SANDBOX 'Python: bytecode that is cut short is left out, and told' '
	python cut && for file in __pycache__/*; do
		head -c 40 "$file" >../short && cat ../short >"$file" || return 1
	done && fingerprint >../before && fixed && fingerprint >../after &&
	test_cmp ../before ../after &&
	grep "what was built here before is damaged and left out: .*EOFError" ../out
'

check LONG,SANDBOX 'Python: bytecode of another version and rubbish are ignored' '
	rm -rf state && python other && tag=$(ls __pycache__/area.*) &&
	mv "$tag" __pycache__/area.cpython-29.pyc &&
	echo rubbish >"$tag" && echo rubbish >__pycache__/none.pyc && fixed && ! grep damaged ../out
'

check SANDBOX 'Python: a test that fails with such words is one to mend' '
	rm -rf state && python words && printf "%s\n" "import area" "import marshal" \
		"assert area.area(3, 5) == 15, \"bad marshal data\"" >test_area.py && commit_all &&
	fix >../out --test "python3 test_area.py" && grep verified ../out && ! grep damaged ../out
'

# maven DIR: a suite whose program says the words of standard input, and ends with 1.
maven() {
	rm -rf state && mkdir -p "$1/bin" .m2/repository/com/acme && chmod 755 . .m2 &&
	{ echo "#!/bin/sh" && echo "cat <<-\\EOF" && cat && printf "EOF\nexit 1\n"; } >"$1/bin/mvn" &&
	chmod +x "$1/bin/mvn" && cd "$1" && git init -q && echo "<project/>" >pom.xml &&
	mkdir -p src/main/java && printf "class A {\n    int a = 1 + 2;\n}\n" >src/main/java/A.java &&
	commit_all && printf "PK\3\4 cut short" >../.m2/repository/com/acme/a-1.jar
}

check SANDBOX 'Maven: an archive in its repository that is cut short is named' '
	maven engine <<-\EOF &&
	[ERROR] TestEngine with ID "junit-jupiter" failed to discover tests
	[ERROR] Failed to execute goal x:surefire:3:test (default-test) on project a:
	EOF
	test_expect_code 3 fix --test "bin/mvn test" >../out &&
	grep "cannot judge: the archive .*/.m2/repository/com/acme/a-1.jar is damaged" ../out &&
	grep "help  *rm .*/a-1.jar, then mvn test" ../out
'

check SANDBOX 'Maven: it is not blamed for an error in the tree' '
	maven error <<-\EOF &&
	[ERROR] COMPILATION ERROR :
	[ERROR] src/main/java/A.java:[2,13] such an error
	[ERROR] Failed to execute goal x:compiler:3:compile (default-compile) on project a: no
	EOF
	test_expect_code 1 fix --test "bin/mvn test" --limit candidates=1 >../out &&
	! grep damaged ../out
'

test_done
