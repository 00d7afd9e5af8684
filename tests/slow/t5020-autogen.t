#!/bin/sh
test_description='dumped teams, run by AutoGen itself and by rondo: the same is said, and they stop
for the same reason'
. "$(dirname "$0")/../cli/lib.sh"

here=$SOURCE/tests/slow/t5020
venv=$RONDO_BUILD/autogen-0.7.5

# The package lies below the build directory and is fetched once.
if [ ! -e "$venv/complete" ]; then
	if python3 -m venv "$venv" &&
	"$venv/bin/pip" install -q "autogen-agentchat==0.7.5" "autogen-ext[openai,docker]==0.7.5"; then
		: >"$venv/complete"
	fi >pip.log 2>&1
fi
if [ -e "$venv/complete" ]; then
	test_set_prereq AUTOGEN
else
	say "AutoGen 0.7.5 cannot be installed here: $(tail -1 pip.log)"
fi

# known NAME: whether this rondo has all that the dump asks for.
known() {
	"$RONDO" check "dumps/$1.json" >said || { cat said; return 1; }
}

# Where rondo means to be equal. What it says of an execution begins with the exit code, which
# AutoGen tells of failures only; and a team within a team has the last word of what is said in it,
# under its own name.
same() {
	"$venv/bin/python" "$here/run.py" "dumps/$1.json" "$2" >expected 2>log || { cat log; return 1; }
	"$RONDO" run "dumps/$1.json" --executor "$EXECUTOR" --task "$2" --json >events
	/usr/bin/python3 - <<-\EOF >found && test_cmp expected found
	import json
	events = [json.loads(line) for line in open("events")]
	for message in (event["message"] for event in events if event.get("message") and not event.get("team")):
	    text = message["content"].removeprefix("exitcode: 0 (execution succeeded)\nCode output: ")
	    print(json.dumps([message["source"], text]))
	print(json.dumps(events[-1]["stopped_by"]))
	EOF
}

check AUTOGEN 'AutoGen dumps its teams' '
	mkdir dumps && "$venv/bin/python" "$here/dump.py" dumps && test $(ls dumps | wc -l) -gt 20
'

# The fixtures of the unit tests are such dumps; only a container has a name of its own each time.
check AUTOGEN 'the dumps are those that the other tests read' '
	for dump in dumps/*.json; do
		sed "s/autogen-code-exec-[-0-9a-f]*//" "$dump" >found &&
		sed "s/autogen-code-exec-[-0-9a-f]*//" "$SOURCE/tests/unit/data/autogen/${dump#dumps/}" \
			>expected &&
		test_cmp expected found || exit 1
	done
'

for name in case_1 case_11 case_23 case_39 case_39_part case_41 case_43 case_43_text case_45 \
	turns; do
	check AUTOGEN "$name: as AutoGen runs it" "
		known $name && same $name 'Do it.'
	"
done

# What follows the chat in rondo's form, from its result on, AutoGen does not say.
for name in case_1 case_11 case_39 case_41 case_45 executors turns; do
	check AUTOGEN "$name: --style autogen prints it as AutoGen's Console does (20)" "
		known $name &&
		'$venv/bin/python' '$here/run.py' dumps/$name.json 'Do it.' console >expected 2>log &&
		{ '$RONDO' run dumps/$name.json --executor $EXECUTOR --task 'Do it.' --style autogen >out ||
			[ \$? = 1 ]; } &&
		sed '/^! /d; /^[^ -~]* \\(done\\|stopped\\): /,\$d' out | sed '\$d' >found &&
		test_cmp expected found
	"
done

contents() {
	sed "s/^\[\"[a-z_]*\", /[/"
}

check AUTOGEN 'nested: the same is said' '
	known nested && { same nested "Do it." || :; } && contents <expected >wanted &&
	contents <found >got && test_cmp wanted got
'

# Case 13: run, reset, run again: two runs of rondo are that.
check AUTOGEN 'case_11, twice: nothing is left of the first run (case 13)' '
	known case_11 && same case_11 "Do it." && mv found first && same case_11 "Do it." &&
	test_cmp first found
'

# Case 3: a task that is a message of the user is the same as a text.
check AUTOGEN 'the task is a message of the user (case 3)' '
	same case_1 "Print hello." && head -1 found >first &&
	echo "[\"user\", \"Print hello.\"]" >expected && test_cmp expected first
'

check AUTOGEN 'case 23: what is loaded is dumped as it was' '
	"$venv/bin/python" - dumps/case_23.json <<-\EOF
	import json, sys
	from autogen_agentchat.teams import RoundRobinGroupChat
	dump = json.load(open(sys.argv[1]))
	again = RoundRobinGroupChat.load_component(dump).dump_component().model_dump(exclude_none=True)
	assert again == dump, again
	EOF
'

test_done
