#!/bin/sh
# A few fast rows of tests/gate; make check-slow runs all.
exec "$(dirname "$0")/../gate/run" -j1 -o "$RONDO_BUILD/verdicts-few.md" honest/sh-make/plain \
	honest/python-unittest/plain tampers/sh-make/test-edited \
	tampers/sh-make/exit-from-function tampers/python-unittest/test-skipped
