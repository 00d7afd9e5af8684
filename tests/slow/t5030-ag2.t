#!/bin/sh
test_description='--style ag2 is what the real AG2 prints for the same chat, byte for byte but for
ids'
. "$(dirname "$0")/../cli/lib.sh"

scripts=$SHARNESS_TEST_SRCDIR/t5030
chats=$SOURCE/tests/cli/t3600
venv=$RONDO_BUILD/ag2

# AG2 as it was until 1.0, which has other agents and no console of this form.
install_ag2() {
	[ -e "$venv/complete" ] && return
	HOME=$REAL_HOME && export HOME && rm -rf "$venv" && python3 -m venv "$venv" &&
	"$venv/bin/pip" install -q "ag2>=0.9,<1" pyyaml && touch "$venv/complete"
}

if (install_ag2) >pip.out 2>&1; then
	test_set_prereq AG2
else
	say "AG2 cannot be installed here: $(tail -1 pip.out)"
fi

# AG2 runs code with whatever "python" is.
theirs() {
	PATH=$venv/bin:$PATH "$venv/bin/python" "$scripts/chat.py" "$1" >theirs.out 2>err </dev/null
}

# same SCENARIO END [OPTION...]: both say the same up to why it ends. END: yes where AG2 says that,
# too.
same() {
	chat=$1 end=$2 && shift 2 && theirs "$chat" &&
		{ "$RONDO" run "$chat" --executor local --style ag2 "$@" >ours.out || [ $? = 1 ]; } &&
		compare "$end"
}

# The reason is each one's own words.
compare() {
	for who in theirs ours; do
		sed -n "s/\(TERMINATING RUN\) ([-0-9a-f]*): [^$(printf "\033")]*/\1/; p; /TERMINATING RUN/q" $who.out >$who || return 1
	done
	grep "TERMINATING RUN" ours && if [ "$1" = no ]; then
		head -n -2 ours >"$HOME/cut" && mv "$HOME/cut" ours
	fi && test_cmp theirs ours
}

check AG2 'semantics 0, example 000: a pair whose program fails, holds and ends' '
	same "$chats/pair.yaml" no
'

check AG2 'a pair that comes to the end of its turns' '
	sed "s/^team:/&\n  max_turns: 3/" "$chats/pair.yaml" >short.yaml &&
	same short.yaml yes -s team.grace_execution=false
'

check AG2 'a group, which speaks by way of a manager' '
	same "$chats/group.yaml" yes
'

check AG2 'scenarios/two-agents.yaml but for the names of the files that ran' '
	sed "s/math.isqrt(n)/int(n ** 0.5)/; s/print(sum(map(is_prime, range(1000))))/print(sum(map(is_prime, range(100))))/" \
		"$SOURCE/scenarios/two-agents.yaml" >two.yaml && same two.yaml yes
'

# AG2 paints for a terminal by termcolor, which can be told that there is one.
check AG2 'the same colours' '
	(export FORCE_COLOR=1 && theirs "$chats/group.yaml") &&
	TERM=xterm "$SOURCE/tests/cli/on-a-terminal" "$RONDO" run "$chats/group.yaml" --executor local \
		--style ag2 >seen &&
	python3 "$SOURCE/tests/cli/without-live-lines" seen >ours.out &&
	grep "$(printf "\033")\[33mcoder" ours.out && compare yes
'

test_done
