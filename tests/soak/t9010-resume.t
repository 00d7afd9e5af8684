#!/bin/sh
test_description='kill -9 at seeded points, also of rondo resume: the result is that of a whole run'
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/lib/kills.sh"

# The points of all commands together. t9030 has a fifth of them, and here each has at least one.
KILLS=${KILLS:-200} SEED=${SEED:-1}
points=$((KILLS * 4 / 5))
[ $points -ge 4 ] || points=4
runs=$XDG_STATE_HOME/rondo/runs

diary '- TERMINATE' >talk.yaml
tiny work && cp work/shapes.py clean.py && echo '# mine' >>work/shapes.py

area_edit >reply
printf 'wait 40\nsay-file reply\n' >script
port=$("$SOURCE/tests/lib/server" -d script log 3>&- 4>&- 5>&-)
cleanup "kill $(cat log.pid)"
export OPENAI_BASE_URL="http://127.0.0.1:$port/v1" OPENAI_API_KEY=k

# words KIND: what rondo is told to do.
words() {
	case $1 in
	run) echo run talk.yaml ;;
	fix) echo fix --executor "$EXECUTOR" work ;;
	apply) echo fix --executor "$EXECUTOR" --apply work ;;
	model) echo fix --executor "$EXECUTOR" --coder model --model openai/x work ;;
	esac
}

# outcome KIND: the result of the run. A call of a model that was cut off counts its tokens as lost.
outcome() {
	"$RONDO" show --normal | sed '/^model /d; /^agent /d; s/; [0-9]* tokens.*//'
	case $1 in
	run) cat "$runs"/*/files/diary && ls "$runs"/*/files ;;
	*) git -C work for-each-ref --format='%(tree)' refs/heads/rondo && cat work/shapes.py ;;
	esac
}

forget() {
	rm -rf "$XDG_STATE_HOME" "$XDG_CACHE_HOME"
	git -C work for-each-ref --format='delete %(refname)' refs/heads/rondo |
		git -C work update-ref --stdin
	cp clean.py work/shapes.py && echo '# mine' >>work/shapes.py
}

# Whether there is a run to resume, and whether it has ended.
begun() { [ -s "$(echo "$runs"/*/attempts/1/journal.jsonl)" ]; }
ended() { grep -q '"type":"run.end"' "$runs"/*/attempts/1/journal.jsonl; }

# The first run of each takes longer than those that follow: the second says how long one takes.
kinds='run fix model apply'
# shellcheck disable=SC2046 # words are meant
for kind in $kinds $kinds; do
	start=$(date +%s%N)
	"$RONDO" $(words $kind) >/dev/null
	eval "length_$kind=$((($(date +%s%N) - start) / 1000000))"
	outcome $kind >expected-$kind
	forget
done

# survives KIND POINT POINT: a run that is killed, resumed, killed again, and resumed to its end.
# shellcheck disable=SC2046 # words are meant
survives() {
	kills_count "$1" points
	killed_after "$1" "$2" "$RONDO" $(words "$1")
	if begun && ! ended; then
		killed_after "$1" "$3" "$RONDO" resume
	fi
	if ! begun; then
		kills_count "$1" begun
		rm -rf "$XDG_STATE_HOME" && "$RONDO" $(words "$1")
	elif ! ended; then
		kills_count "$1" resumed
		"$RONDO" resume
	else
		kills_count "$1" ended
	fi
	outcome "$1" >actual
	forget
	test_cmp "expected-$1" actual && kills_count "$1" equal
}

random=$SEED
for number in $(seq $points); do
	kind=$(echo "$kinds" | cut -d' ' -f$((number % 4 + 1)))
	eval "length=\$length_$kind"
	# shellcheck disable=SC2154 # it is set by eval
	next_random "$length" && first=$point && next_random "$length"
	title="$kind, killed after $first and again after $point of $length ms"
	test_expect_success "$title (SEED=$SEED, number $number)" "survives $kind $first $point"
done
for kind in $kinds; do kills_write "$kind"; done

test_done
