#!/bin/sh
# All rows of tests/gate by rondo verify. SHORT: every twenty-eighth.
exec "$(dirname "$0")/../gate/run" -v -o "$RONDO_BUILD/verify-verdicts.md" ${SHORT:+-e 28}
