#!/bin/sh
# All rows of tests/hostile: what hostile programs can do in the sandbox, as root and as an ordinary user. SHORT: every fifth.
exec "$(dirname "$0")/../hostile/run" ${SHORT:+-e 5}
