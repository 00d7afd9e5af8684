#!/bin/sh
test_description='signals at seeded points: no file of the user changes, nothing is left'
. "$(dirname "$0")/../cli/lib.sh"

KILLS=${KILLS:-200} SEED=${SEED:-1}

# The length of a run on this machine: the points are within it.
tiny work && cd work && echo dirty >>shapes.py && echo '# note' >untracked
start=$(date +%s%N)
fix >/dev/null
length=$((($(date +%s%N) - start) / 1000000))
git for-each-ref --format='delete %(refname)' refs/heads/rondo | git update-ref --stdin
before=$(fingerprint)

# unharmed SIGNAL MILLISECONDS: sends it to rondo so long after its start. Branches are whole.
unharmed() {
	timeout -s "$1" "$(($2 / 1000)).$(printf '%03d' $(($2 % 1000)))" \
		"$RONDO" fix --executor "$EXECUTOR" >/dev/null 2>&1
	test "$(fingerprint)" = "$before" && await '! pgrep -f "$HOME" >/dev/null' &&
		"$RONDO" gc >/dev/null && test -z "$(ls "$XDG_CACHE_HOME/rondo/work")" &&
		git for-each-ref --format='%(objectname) %(refname)' refs/heads/rondo |
		while read -r commit ref; do
			git rev-list --objects "$commit" | cut -d' ' -f1 | git cat-file --batch-check |
				grep -q missing && exit 1
			git update-ref -d "$ref"
		done
}

random=$SEED
for number in $(seq "$KILLS"); do
	random=$(((random * 1103515245 + 12345) % 2147483648))
	point=$((random / 65536 % (length + 50)))
	case $((number % 5)) in
	0) signal=INT ;;
	1) signal=TERM ;;
	2) signal=USR1 ;;
	*) signal=KILL ;;
	esac
	test_expect_success "SIG$signal after $point of $length ms" "unharmed $signal $point"
done

test_done
