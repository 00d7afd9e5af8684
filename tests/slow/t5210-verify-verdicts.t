#!/bin/sh
# All rows of tests/gate by rondo verify. SHORT: every fifty-sixth.
exec "$(dirname "$0")/../gate/run" -v -o "$RONDO_BUILD/verify-verdicts.md" ${SHORT:+-e 56}
