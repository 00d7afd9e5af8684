#!/bin/sh
# shellcheck disable=SC2154 # mark and nap are of tests/lib/left.sh
test_description='rondo, its keepers and programs are killed during blocks of each executor'
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/lib/left.sh"

# SHORT: a few points only, and only the first of similar tests.
KILLS=${KILLS:-200} SEED=${SEED:-1}
[ -z "$SHORT" ] || [ "$KILLS" -le 4 ] || KILLS=4
if [ "$SHORT" ]; then signals="KILL TERM"; else signals="KILL TERM INT"; fi
export XDG_RUNTIME_DIR="$HOME/runtime"
mkdir -m 700 "$XDG_RUNTIME_DIR"
find /tmp -maxdepth 1 -name 'rondo-probe-*' >probes 2>/dev/null

# The executors that work here.
types=local
test_have_prereq SANDBOX && types="$types sandbox"
test_have_prereq SANDBOX && "$RONDO" doctor | grep -q '^✓ jupyter' && types="$types jupyter"
if test_have_prereq SANDBOX; then
	export DAYTONA_API_KEY=dtn_0123456789
	port=$("$SOURCE/tests/lib/daytona" -d cloud start=0.05 3>&- 4>&- 5>&-)
	export DAYTONA_API_URL=http://127.0.0.1:$port/api
	cleanup 'kill $(cat cloud/pid)'
	types="$types daytona"
fi

# chat NAP: blocks that leave daemons, hold files and write in the tree. When all are up, the second
# block sleeps for NAP seconds.
chat() {
	cat <<-EOF
	name: left
	task: Go on.
	models:
	  said:
	    provider: replay
	    replies:
	      - |
	        \`\`\`sh
	        setsid sh -c 'trap "" TERM HUP INT; sleep $nap; sleep $nap' &
	        (setsid env -i sleep $nap >/dev/null 2>&1 9>held &)
	        (trap "" HUP; exec 8>open; sleep $nap; :) >/dev/null 2>&1 &
	        mkfifo fifo; ln -s /etc/passwd link
	        echo begun
	        \`\`\`
	        \`\`\`python
	        import os, subprocess, time
	        null = subprocess.DEVNULL
	        alone = dict(start_new_session=True, stdin=null, stdout=null, stderr=null)
	        deaf = "trap '' TERM HUP INT; setsid sleep $nap & sleep $nap; :"
	        subprocess.Popen(["sh", "-c", deaf], **alone)
	        subprocess.Popen(["sleep", "$nap"], env={"PATH": os.environ["PATH"]}, **alone)
	        for i in range(300):
	            open(f"file{i}", "w").write("x" * 1000)
	        os.rename("file0", "ready")
	        time.sleep($1)
	        \`\`\`
	      - |
	        \`\`\`sh
	        echo after
	        \`\`\`
	      - TERMINATE
	agents: {coder: {type: coder, model: said, edit_format: none}, executor: executor}
	team: {participants: [coder, executor], termination: text_mention/TERMINATE}
	assert: [contains: {value: "Code output: after", sources: [executor]}]
	executor: {env: {MARK: $mark}}
	EOF
}
chat 0.1 >short.yaml
chat 1000 >long.yaml

# run FILE TYPE: rondo run with the mark, which its keepers have, too. This shell ignores SIGINT in
# what it starts in the background.
run() {
	MARK=$mark exec env --default-signal=INT "$RONDO" run "$1" -s "executor.type=$2" </dev/null
}

# nothing: there is no checkout, kernel or file of a tree, no mount, no socket, no remote sandbox.
nothing() {
	! find "$XDG_CACHE_HOME/rondo/work" "$XDG_RUNTIME_DIR" cloud/sandboxes -mindepth 1 2>/dev/null |
		grep . &&
		! find "$XDG_CACHE_HOME" -name 'jupyter-*' -o -name ready | grep . &&
		! find "$XDG_CACHE_HOME" "$XDG_STATE_HOME" -type s -o -type p | grep . &&
		! grep "$HOME/\(state\|cache\)" /proc/self/mountinfo &&
		! grep "$HOME/\(state\|cache\)" /proc/net/unix
}

# left_nothing TYPE [START]: processes end at once, those of a service with its sandbox. All else
# goes with the next start of rondo, or by rondo gc. A service may make after a kill what it was
# asked for before.
left_nothing() {
	if [ "$2" ]; then next="run next.yaml -s executor.type=$1"; else next=gc; fi
	[ "$1" = daytona ] || await nobody || return 1
	# shellcheck disable=SC2016 # what is awaited sees the variables itself
	await '"$RONDO" $next >next.out 2>&1 && nothing >/dev/null' && await nobody &&
	rm -rf "$XDG_STATE_HOME"
}
cat >next.yaml <<EOF
name: next
task: Go on.
models: {said: {provider: replay, replies: [TERMINATE]}}
agents: {coder: {type: coder, model: said, edit_format: none}, executor: executor}
team: {participants: [coder, executor], termination: text_mention/TERMINATE}
executor: {env: {MARK: $mark}}
EOF

# --- At seeded points ---

for type in $types; do
	start=$(date +%s%N)
	check "undisturbed in $type" '
		(run short.yaml "$type" >out 2>&1) || { cat out; exit 1; }
		await nobody && nothing
	'
	eval "length_$type=$((($(date +%s%N) - start) / 1000000))"
done

# killed TYPE SIGNAL MILLISECONDS: sends it to rondo so long after its start. Unless the run has
# ended before, the exit code is that of the signal.
killed() {
	seconds=$(printf '%d.%03d' $(($3 / 1000)) $(($3 % 1000)))
	MARK=$mark timeout --preserve-status -k 30 -s "$2" "$seconds" \
		"$RONDO" run short.yaml -s "executor.type=$1" >out 2>&1 </dev/null
	code=$?
	case $2 in KILL) expected=137 ;; TERM) expected=143 ;; INT) expected=130 ;; esac
	[ $code = 0 ] || [ $code = $expected ] || { echo "exit code $code"; cat out; return 1; }
	left_nothing "$1"
}

random=$SEED
number=0
while [ $number -lt "$KILLS" ]; do
	for type in $types; do
		number=$((number + 1))
		[ $number -le "$KILLS" ] || break
		random=$(((random * 1103515245 + 12345) % 2147483648))
		eval "length=\$length_$type"
		# shellcheck disable=SC2154 # set by eval
		point=$((random / 65536 % (length + 50)))
		case $((random / 64 % 4)) in 0) signal=INT ;; 1) signal=TERM ;; *) signal=KILL ;; esac
		test_expect_success "$type: SIG$signal after $point of $length ms" \
			"killed $type $signal $point"
	done
done

# --- During a block ---

# is_up: whether the block has made its file, here or in the service's sandbox.
is_up() {
	find "$XDG_CACHE_HOME/rondo/work" cloud/sandboxes -name ready 2>/dev/null | grep -q .
}

# begin TYPE: $rondo is the pid of a run that is in its second block.
begin() {
	run long.yaml "$1" >out 2>&1 &
	rondo=$!
	await is_up && await 'test "$(marked | wc -l)" -ge 4'
}

for type in $types; do
	for signal in $signals; do
		check "$type: SIG$signal during a block" '
			begin "$type" && kill -$signal $rondo && wait $rondo; code=$?
			test $signal.$code = KILL.137 || test $signal.$code = TERM.143 ||
				test $signal.$code = INT.130 && left_nothing "$type" start
		'
	done
done

# named NAME: the pids of marked processes with this name.
named() {
	for pid in $(marked); do
		test "$(cat "/proc/$pid/comm")" = "$1" && echo "$pid"
	done
	:
}

# children PID...: the pids of their children.
children() {
	for pid; do
		pgrep -P "$pid" || return 1
	done
}

# ends_with TEXT: the block failed, the reply says how, and the chat continued to its end.
ends_with() {
	wait "$rondo"
	code=$?
	[ $code = 0 ] && grep "$1" out && grep "^Code output: after$" out && return
	echo "exit code $code"
	grep -v " file[0-9]* | " out
	return 1
}

for type in $types; do
	case $type in
	jupyter)
		reply='^The kernel ended with exit code 137. '
		reply=$reply'The next block has a new one: variables are lost.$'
		;;
	*) reply='^killed by SIGKILL$' ;;
	esac
	[ $type != daytona ] || continue # it has no keeper of ours
	for keeper in rondo-keeper rondo-standby; do
		check "$type: SIGKILL of the $keeper during a block" '
			begin "$type" && kill -KILL $(named $keeper) && ends_with "$reply" &&
			left_nothing "$type"
		'
	done
	[ -z "$SHORT" ] || continue
	check "$type: SIGKILL of what the keeper keeps" '
		begin "$type" && kept=$(children $(named rondo-keeper)) && kill -KILL $kept &&
		ends_with "$reply" && left_nothing "$type"
	'
done

for type in $types; do
	case $type in sandbox | jupyter) ;; *) continue ;; esac
	check "$type: SIGKILL of rondo, the keeper and the standby during a block" '
		begin "$type" && kill -KILL $rondo $(named rondo-keeper) $(named rondo-standby) &&
		{ wait $rondo; test $? = 137; } && left_nothing "$type" start
	'
	[ -z "$SHORT" ] || continue
	check "$type: SIGKILL of the first process in the box" '
		begin "$type" && kept=$(children $(named rondo-keeper)) && first=$(children $kept) &&
		kill -KILL $first && ends_with 137 && left_nothing "$type"
	'
done

# helper: the process in the sandbox that watches a block: the first, the other waits for the block.
helper() {
	for pid in $(marked); do
		tr '\0' ' ' <"/proc/$pid/cmdline" | grep -q '^/tmp/rondo-[^ ]* keep ' && echo "$pid" &&
		return
	done
}

case $types in *daytona*)
	check 'daytona: SIGKILL of the helper that watches a block' '
		begin daytona && kill -KILL $(helper) && await "! kill -0 $rondo" &&
		ends_with "^killed by SIGKILL$" && left_nothing daytona
	'
	check 'daytona: SIGKILL of the sandbox during a block' '
		begin daytona && pkill -KILL -o -f "^bwrap .*$HOME/cloud/sandboxes" &&
		{ wait $rondo; code=$?; } && cat out && test $code = 75 && left_nothing daytona
	'
	;;
esac

check 'nothing of rondo is left in /tmp' '
	await "! find /tmp -maxdepth 1 -name \"rondo-probe-*\" 2>/dev/null | grep -vx -f probes"
'

test_done
