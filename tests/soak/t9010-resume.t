#!/bin/sh
test_description='kill -9 at seeded points, also of rondo resume: the result is that of a whole run'
. "$(dirname "$0")/../cli/lib.sh"

KILLS=${KILLS:-200} SEED=${SEED:-1}
runs=$XDG_STATE_HOME/rondo/runs

diary '- TERMINATE' >talk.yaml
tiny work && echo '# mine' >>work/shapes.py

talk() { "$RONDO" run talk.yaml; }
repair() { "$RONDO" fix --executor "$EXECUTOR" work; }

# outcome KIND: the result of the run.
outcome() {
	"$RONDO" show --normal
	case $1 in
	talk) cat "$runs"/*/files/diary && ls "$runs"/*/files ;;
	repair) git -C work for-each-ref --format='%(tree)' refs/heads/rondo ;;
	esac
}

forget() {
	rm -rf "$XDG_STATE_HOME" "$XDG_CACHE_HOME"
	git -C work for-each-ref --format='delete %(refname)' refs/heads/rondo |
		git -C work update-ref --stdin
}

next_random() {
	random=$(((random * 1103515245 + 12345) % 2147483648))
	point=$((random / 65536 % ($1 * 6 / 5)))
}

# killed_after MILLISECONDS COMMAND ...
killed_after() {
	seconds=$(($1 / 1000)).$(printf '%03d' $(($1 % 1000)))
	shift
	timeout -s KILL "$seconds" "$@" >/dev/null 2>&1
}

# Whether there is a run to resume, and whether it has ended.
begun() { [ -s "$(echo "$runs"/*/attempts/1/journal.jsonl)" ]; }
ended() { grep -q '"type":"run.end"' "$runs"/*/attempts/1/journal.jsonl; }

for kind in talk repair; do
	start=$(date +%s%N)
	$kind >/dev/null
	eval "length_$kind=$((($(date +%s%N) - start) / 1000000))"
	outcome $kind >expected-$kind
	forget
done

# survives KIND POINT POINT: a run that is killed, resumed, killed again, and resumed to its end.
survives() {
	case $1 in
	talk) killed_after "$2" "$RONDO" run talk.yaml ;;
	repair) killed_after "$2" "$RONDO" fix --executor "$EXECUTOR" work ;;
	esac
	if begun && ! ended; then
		killed_after "$3" "$RONDO" resume
	fi
	if ! begun; then
		rm -rf "$XDG_STATE_HOME" && "$1"
	elif ! ended; then
		"$RONDO" resume
	fi
	outcome "$1" >actual
	forget
	test_cmp "expected-$1" actual
}

random=$SEED
for number in $(seq "$KILLS"); do
	# shellcheck disable=SC2154 # lengths are set by eval
	[ $((number % 2)) = 0 ] && kind=talk length=$length_talk || kind=repair length=$length_repair
	next_random "$length" && first=$point && next_random "$length"
	test_expect_success "$kind, killed after $first and again after $point of $length ms" \
		"survives $kind $first $point"
done

test_done
