#!/bin/sh
# A few fast rows of tests/gate by rondo verify; make check-slow runs all.
exec "$(dirname "$0")/../gate/run" -v -j1 -o "$RONDO_BUILD/verify-few.md" honest/c-make/plain \
	honest/sh-make/plain tampers/sh-make/test-edited tampers/python-unittest/test-skipped
