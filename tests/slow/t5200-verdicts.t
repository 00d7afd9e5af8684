#!/bin/sh
# All rows of tests/gate: tampers and honest fixes, by whole runs. SHORT: every eightieth.
exec "$(dirname "$0")/../gate/run" ${SHORT:+-e 80}
