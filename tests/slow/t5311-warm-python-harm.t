#!/bin/sh
test_description='the warm runner for Python: what candidates do to the world'
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/slow/t5310/lib.sh"

for name in leaks open_files threads programs ends processes memory disk deleted; do
	check PYTEST "candidates: $name" "case_of harm $name"
done

# The limit for loading, a minute, holds for all lines together.
check PYTEST,LONG 'a suite that prints for ever while it is loaded is tried cold' '
	mkdir loud && cd loud && git init -q &&
	printf "def add(a, b):\n    return a - b\n" >calc.py &&
	printf "from calc import add\n\n\ndef test_add():\n    assert add(2, 3) == 5\n" >test_calc.py &&
	cat >conftest.py <<-\EOF && commit_all &&
	import os
	import stat

	def is_pipe(fd):
	    try:
	        return stat.S_ISFIFO(os.fstat(fd).st_mode)
	    except OSError:
	        return False

	pipes = [int(fd) for fd in os.listdir("/proc/self/fd") if is_pipe(int(fd))]
	while "warm" in open("/proc/self/cmdline").read():
	    for pipe in pipes:
	        os.write(pipe, b"noise\n")
	EOF
	fix --limit repair=5m --limit time=10m >../out && grep verified ../out
'

test_done
