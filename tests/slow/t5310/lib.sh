# What the scripts of the warm runner for Python begin with: its text, and the interpreter.
# shellcheck shell=sh disable=SC2034,SC2154
PYTHON=${PYTHON:-$(HOME=$REAL_HOME command -v python3)}
"$PYTHON" -c 'import pytest' 2>/dev/null && test_set_prereq PYTEST
"$PYTHON" -c 'import xdist' 2>/dev/null && test_set_prereq XDIST
cat "$SOURCE"/agents/trial/warm/python_*.py "$SOURCE"/agents/trial/warm/python.py >warm.py
export PYTHON RUNNER="$PWD/warm.py" PYTHONDONTWRITEBYTECODE=1

# case_of FILE NAME: a case of that file, in a directory of its own.
case_of() {
	mkdir "$2" && cd "$2" && "$PYTHON" "$SOURCE/tests/slow/t5310/$1.py" "$2"
}
