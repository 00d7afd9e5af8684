#!/bin/sh
test_description='the executor jupyter: whole runs in a real kernel'
. "$(dirname "$0")/../cli/lib.sh"

if ! doctor_says '^✓ jupyter'; then
	skip_all=$("$RONDO" doctor | sed -n 's/^[!·] jupyter *//p')
	test_done
fi
/usr/bin/python3 -c 'import matplotlib' 2>/dev/null && test_set_prereq MATPLOTLIB

# chat SETTINGS REPLY...: a coder who says these, in YAML's double quotes, and an executor; what was
# said is out.
chat() {
	settings=$1
	shift
	{
		printf 'name: kernel\ntask: Go on.\nmodels:\n  said:\n    provider: replay\n    replies:\n'
		printf '      - "%s"\n' "$@" TERMINATE
		cat <<-EOF
		agents: {coder: {type: coder, model: said, edit_format: none}, executor: executor}
		team: {participants: [coder, executor], termination: text_mention/TERMINATE}
		executor: {type: jupyter$settings}
		EOF
	} >chat.yaml && "$RONDO" run chat.yaml >out
}

# block CODE: a reply that is a block of Python.
block() {
	printf '```python\\n%s\\n```' "$1"
}

check 'what a block prints is told as it comes (20, missing 1)' '
	chat "" "$(block "import time\\nfor i in range(3): print(i, flush=True); time.sleep(0.3)")" &&
	"$RONDO" run --json --stream on chat.yaml >out &&
	test "$(grep -c "\"chunk\",\"source\":\"executor\",\"text\":\"[012]" out)" -ge 2
'

said_by_executor() {
	awk '/^---------- .* ----------$/ { on = $2 == "executor"; next } /^[✓✗]/ { exit } on' out
}

for place in sandbox local; do
	check "a kernel in $place: variables are kept from turn to turn, and a failure loses none" '
		chat ", in: $place" "$(block "a = 41\\ndef next(n): return n + 1")" "$(block "next(a)")" "$(block "1 / 0")" "$(block "print(a)")" &&
			said_by_executor >said && grep "^Code output: 42$" said && grep "^ZeroDivisionError: division by zero$" said &&
			grep "^Code output: 41$" said
	'
done

check 'a coder is told that variables last, and of others the same' '
	rm -rf state && chat "" "$(block "a = 1")" &&
	cat state/rondo/runs/*/attempts/1/journal.jsonl >said &&
		grep "Blocks in Python run in one kernel" said && ! grep "Each block is a program of its own" said
'

check MATPLOTLIB 'a plot is a picture, which the run keeps' '
	chat "" "$(block "import matplotlib.pyplot as plt\\nplt.plot([1, 4, 9])\\nplt.show()")" &&
		said_by_executor | grep "^Image data saved to output-1.png$" &&
		head -c 8 state/rondo/runs/*/files/output-1.png | od -An -tx1 |
			grep "89 50 4e 47 0d 0a 1a 0a"
'

check 'pictures go where they are told to, a directory that is made (20, wrong 3)' '
	rm -rf state && "$RONDO" run chat.yaml -s executor.output_dir=plots >out &&
		said_by_executor >said &&
		{ ! test_have_prereq MATPLOTLIB || ls state/rondo/runs/*/files/plots/output-1.png; }
'

check 'a kernel that is not there is told before anything is paid for' '
	test_expect_code 3 env "$RONDO" run chat.yaml -s executor.kernel=ruby 2>err && cat err &&
		grep "Kernel ruby is not installed" err && grep "python3-ipykernel" err
'

check 'timeout, death and what is left are told, in one chat' '
	chat ", timeout: 10s" "$(block "x = 1\\nimport time, os; time.sleep(60)")" \
		"$(block "print(x); os._exit(9)")" "$(block "print(x)")" &&
		said_by_executor >said && grep "^Timeout$" said && grep "^exitcode: 124 " said &&
		grep "^exitcode: 9 " said &&
		grep "The kernel ended with exit code 9. The next block has a new one: variables are lost." said &&
		grep "^NameError: name .x. is not defined$" said
'

check 'the kernel sees no network, no home and no key' '
	OPENAI_API_KEY=secret chat "" "$(block "import os, socket\\nprint(os.environ.get(\\\"OPENAI_API_KEY\\\"), os.path.exists(\\\"$HOME/state\\\"))\\ntry:\\n  socket.create_connection((\\\"192.0.2.1\\\", 80), 5)\\nexcept OSError as e: print(e)")" &&
		said_by_executor >said && grep "^Code output: None False$" said && grep "unreachable" said
'

check SANDBOX 'without libzmq, or without ipykernel, doctor says so, and what mends it' '
	library=$(realpath "$(/sbin/ldconfig -p | sed -n "s/.*libzmq\.so\.5 .*=> //p" | head -n 1)") &&
		bwrap --dev-bind / / --ro-bind /dev/null "$library" "$RONDO" doctor --json >said &&
		grep "\"jupyter\",.*ipykernel [0-9.]* of .*libzmq cannot be loaded: .*\"apt-get install libzmq5\"" said &&
		bwrap --dev-bind / / --tmpfs /usr/share/jupyter --tmpfs /usr/lib/python3/dist-packages \
			"$RONDO" doctor >said &&
		grep "^· jupyter .*Kernel python3 is not installed. There is none.$" said &&
		grep "apt-get install python3-ipykernel" said
'

# marked: whether there are programs with this script's mark in their environment. Others end
# meanwhile, which is an error to grep.
marked() {
	grep -lz "^MARK=kernel-$$\$" /proc/[0-9]*/environ 2>/dev/null | grep -q .
}

# A file in the tree says that the block runs; then rondo dies.
check 'kill -9 of rondo leaves no kernel' '
	rm -rf state cache &&
	{ chat ", env: {MARK: kernel-$$}" "$(block "import os\nos.mkdir(str(12345))\nwhile True: pass")" & } &&
		pid=$! && await "find cache -name 12345 2>/dev/null | grep -q ." && marked &&
		kill -9 "$(pgrep -P $pid)" && { wait $pid; test $? = 137; } && await "! marked"
'

# Scenarios to copy from; with a picture where Python can draw one.
scenarios=$SOURCE/scenarios/jupyter
for file in "$scenarios"/*; do
	needed="" name=${file##*/}
	grep -q matplotlib "$scenarios/$name" && needed=MATPLOTLIB
	check "$needed" "jupyter/$name ends as it asserts" '
		"$RONDO" test "$scenarios/$name" >out; cat out && grep "^1 passed, 0 failed$" out
	'
done

check MATPLOTLIB 'jupyter/plot.yaml: the picture is copied out' '
	"$RONDO" run "$scenarios/plot.yaml" --out plots >out &&
	head -c 8 plots/output-1.png | od -An -tx1 | grep "89 50 4e 47 0d 0a 1a 0a"
'

test_done
