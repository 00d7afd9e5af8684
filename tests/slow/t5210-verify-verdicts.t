#!/bin/sh
# All rows of tests/gate by rondo verify; make check has a few, and CI no more than these.
exec "$(dirname "$0")/../gate/run" -v -o "$RONDO_BUILD/verify-verdicts.md"
