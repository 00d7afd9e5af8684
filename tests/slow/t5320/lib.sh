# What the tests of node's warm runner share: sourced by t532*.t.
# shellcheck shell=sh
. "$(dirname "$0")/../cli/lib.sh"
runner=$RONDO_BUILD/agents/trial/warm/node.mjs
. "$SOURCE/tests/slow/node_modules.sh"

# warm KIND [WORD...]: what the runner answers to the lines of standard input (tests/lib/warm.mjs);
# same: as standard input says.
warm() {
	node "$SOURCE/tests/lib/warm.mjs" "$runner" "$@" >answers && cat answers
}
same() {
	cat >expected && test_cmp expected answers
}
