#!/bin/sh
# All rows of tests/hostile: what hostile programs can do in the sandbox, as root and as an ordinary
# user, and whether doc/hostile.md says so. SHORT: every fifth.
here=$(dirname "$0")
exec "$here/../hostile/run" -c "$here/../../doc/hostile.md" ${SHORT:+-e 5}
