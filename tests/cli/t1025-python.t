#!/bin/sh
test_description='Python projects as people set them up'
. "$(dirname "$0")/lib.sh"

# project NAME: a src layout with a bug, and a .venv that git does not ignore.
project() {
	rm -rf "$1" && mkdir -p "$1/src/shop" "$1/tests" && cd "$1" && git init -q &&
	/usr/bin/python3 -m venv --without-pip --system-site-packages .venv &&
	echo "def shout(text): return text.upper()" \
		>"$(echo .venv/lib/python3*/site-packages)/loud.py" &&
	printf "from loud import shout\n\n\ndef greet(name):\n    return shout(\"hello \") - name\n" \
		>src/shop/greet.py && touch src/shop/__init__.py &&
	printf "%s\n" "from shop.greet import greet" "" "" "def test_greet():" \
		"    assert greet(\"you\") == \"HELLO you\"" >tests/test_greet.py
}

check LONG 'a .venv that git does not ignore, and a src layout that is not installed' '
	project plain && git add src tests && git commit -qm 1 && fix >../out &&
	! grep untracked ../out && grep "by .venv .*which has pytest" ../out &&
	grep "src/ is on Python.s path: the project is not installed in .venv" ../out &&
	git diff --stat main "$(the_branch)" >../stat && ! grep venv ../stat &&
	git diff main "$(the_branch)" | grep "^+    return shout(\"hello \") + name"
'

check LONG 'a .venv that is a link to an environment elsewhere' '
	project linked && mv .venv ../elsewhere && ln -s ../elsewhere .venv &&
	echo ".venv/" >.gitignore &&
	git add src tests .gitignore && git commit -qm 1 &&
	fix --test ".venv/bin/python -m pytest" >../out && ! grep untracked ../out &&
	git diff main "$(the_branch)" | grep "^+    return shout(\"hello \") + name"
'

check LONG 'a module that an installation wrote and git ignores' '
	project written && echo _version.py >.gitignore && echo "version = 1" >src/shop/_version.py &&
	echo "from shop._version import version" >src/shop/__init__.py &&
	git add src tests .gitignore && git commit -qm 1 && fix >../out &&
	git diff --stat main "$(the_branch)" >../stat && ! grep version ../stat
'

check LONG 'what is not installed is told, and the rest is fixed' '
	project mixed && printf "[options.extras_require]\ntest =\n    nosuchmodule\n" >setup.cfg &&
	printf "import nosuchmodule\n\n\ndef test_b():\n    assert nosuchmodule\n" \
		>tests/test_b.py &&
	git add src tests setup.cfg && git commit -qm 1 && fix >../out &&
	grep "the Python module .nosuchmodule. is missing (tests/test_b.py:1)" ../out &&
	grep "install -e .\.\[test\]" ../out &&
	git diff main "$(the_branch)" | grep "^+    return shout(\"hello \") + name"
'

check LONG 'a generated module that is missing is named, and nothing is searched' '
	project absent && echo _version.py >.gitignore &&
	echo "from shop._version import version" >src/shop/__init__.py &&
	git add src tests .gitignore && git commit -qm 1 && test_expect_code 3 fix >../out &&
	grep "cannot judge: the generated file .shop/_version.py. is missing" ../out &&
	grep "install -e \." ../out && ! grep candidates ../out
'

check LONG 'a misspelt import is a bug' '
	project typo && sed -i "s/ - name/ + name/; s/^from loud/import itertool\nfrom loud/" \
		src/shop/greet.py &&
	git add src tests && git commit -qm 1 && { fix >../out || test $? = 1; } &&
	! grep "cannot judge" ../out && grep "candidates" ../out
'

test_done
