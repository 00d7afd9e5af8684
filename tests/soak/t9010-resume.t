#!/bin/sh
test_description='kill -9 at seeded points, also of rondo resume: the result is that of a whole run'
. "$(dirname "$0")/../cli/lib.sh"

KILLS=${KILLS:-200} SEED=${SEED:-1}
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
	talk) echo run talk.yaml ;;
	repair) echo fix --executor "$EXECUTOR" work ;;
	apply) echo fix --executor "$EXECUTOR" --apply work ;;
	model) echo fix --executor "$EXECUTOR" --coder model --model openai/x work ;;
	esac
}

# outcome KIND: the result of the run. A call of a model that was cut off counts its tokens as lost.
outcome() {
	"$RONDO" show --normal | sed '/^model /d; /^agent /d; s/; [0-9]* tokens.*//'
	case $1 in
	talk) cat "$runs"/*/files/diary && ls "$runs"/*/files ;;
	*) git -C work for-each-ref --format='%(tree)' refs/heads/rondo && cat work/shapes.py ;;
	esac
}

forget() {
	rm -rf "$XDG_STATE_HOME" "$XDG_CACHE_HOME"
	git -C work for-each-ref --format='delete %(refname)' refs/heads/rondo |
		git -C work update-ref --stdin
	cp clean.py work/shapes.py && echo '# mine' >>work/shapes.py
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

kinds='talk repair model apply'
# shellcheck disable=SC2046 # words are meant
for kind in $kinds; do
	start=$(date +%s%N)
	"$RONDO" $(words $kind) >/dev/null
	eval "length_$kind=$((($(date +%s%N) - start) / 1000000))"
	outcome $kind >expected-$kind
	forget
done

# survives KIND POINT POINT: a run that is killed, resumed, killed again, and resumed to its end.
# shellcheck disable=SC2046 # words are meant
survives() {
	killed_after "$2" "$RONDO" $(words "$1")
	if begun && ! ended; then
		killed_after "$3" "$RONDO" resume
	fi
	if ! begun; then
		rm -rf "$XDG_STATE_HOME" && "$RONDO" $(words "$1")
	elif ! ended; then
		"$RONDO" resume
	fi
	outcome "$1" >actual
	forget
	test_cmp "expected-$1" actual
}

random=$SEED
for number in $(seq "$KILLS"); do
	kind=$(echo "$kinds" | cut -d' ' -f$((number % 4 + 1)))
	eval "length=\$length_$kind"
	# shellcheck disable=SC2154 # it is set by eval
	next_random "$length" && first=$point && next_random "$length"
	test_expect_success "$kind, killed after $first and again after $point of $length ms" \
		"survives $kind $first $point"
done

test_done
