#!/bin/sh
test_description='projects in shell, and with dependencies that git ignores'
. "$(dirname "$0")/lib.sh"

check 'a shell project whose make test fails' '
	mkdir sh && cd sh && git init -q &&
	printf "is_even() {\n\t[ \$((\$1 %% 2)) -eq 1 ]\n}\n" >even.sh &&
	cat >test.sh <<-\EOF &&
	. ./even.sh
	echo 1..2
	if is_even 4; then echo ok 1 - four; else echo not ok 1 - four; fail=1; fi
	if is_even 7; then echo not ok 2 - seven; fail=1; else echo ok 2 - seven; fi
	exit ${fail:-0}
	EOF
	printf "test:\n\tsh test.sh\n" >Makefile &&
	commit_all && fix >../out && passes_in_clone "make -s test"
'

check 'dependencies in an ignored .venv' '
	mkdir venv && cd venv && git init -q && python3 -m venv --without-pip .venv &&
	echo .venv >.gitignore &&
	echo "def shout(text): return text.upper()" \
		>"$(echo .venv/lib/python3*/site-packages)/loud.py" &&
	printf "from loud import shout\n\n\ndef greet(name):\n    return shout(\"hello \") - name\n" \
		>greet.py &&
	printf "%s\n" "from greet import greet" "assert greet(\"you\") == \"HELLO you\"" \
		"print(\"ok 1 - greet\")" "print(\"1..1\")" >check.py &&
	printf "check:\n\t.venv/bin/python check.py\n" >Makefile &&
	commit_all && fix >../out &&
	git diff main "$(the_branch)" | grep "^+    return shout(\"hello \") + name"
'

test_done
