#!/bin/sh
# shellcheck disable=SC2154 # mark and nap are of tests/lib/left.sh
test_description='rondo, its keepers and programs are killed while blocks run in each executor:
nothing is left'
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/lib/left.sh"

# SHORT: a few points only, and of what is alike the first.
KILLS=${KILLS:-200} SEED=${SEED:-1}
[ -z "$SHORT" ] || [ "$KILLS" -le 4 ] || KILLS=4
if [ "$SHORT" ]; then signals="KILL TERM"; else signals="KILL TERM INT"; fi
export XDG_RUNTIME_DIR="$HOME/runtime"
mkdir -m 700 "$XDG_RUNTIME_DIR"
find /tmp -maxdepth 1 -name 'rondo-probe-*' >probes 2>/dev/null

# What is there.
types=local
test_have_prereq SANDBOX && types="$types sandbox"
test_have_prereq SANDBOX && "$RONDO" doctor | grep -q '^✓ jupyter' && types="$types jupyter"
if test_have_prereq SANDBOX; then
	export DAYTONA_API_KEY=dtn_0123456789
	DAYTONA_API_URL=http://127.0.0.1:$("$SOURCE/tests/lib/daytona" -d cloud start=0.05 3>&- 4>&- \
		5>&-)/api
	export DAYTONA_API_URL
	cleanup 'kill $(cat cloud/pid)'
	types="$types daytona"
fi

# chat NAP: blocks that leave daemons, hold files and write in the tree; the second block sleeps so
# long when all of them are up.
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
	        alone = dict(start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
	        subprocess.Popen(["sh", "-c", "trap '' TERM HUP INT; setsid sleep $nap & sleep $nap; :"], **alone)
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

# run FILE TYPE: marked, as are the keepers.
run() {
	MARK=$mark exec "$RONDO" run "$1" -s "executor.type=$2" </dev/null
}

# No checkout, kernel or file of a tree, no mount, no socket, and of a service no sandbox.
nothing() {
	! find "$XDG_CACHE_HOME/rondo/work" "$XDG_RUNTIME_DIR" cloud/sandboxes -mindepth 1 2>/dev/null |
		grep . &&
		! find "$XDG_CACHE_HOME" -name 'jupyter-*' -o -name ready | grep . &&
		! find "$XDG_CACHE_HOME" "$XDG_STATE_HOME" -type s -o -type p | grep . &&
		! grep "$HOME/\(state\|cache\)" /proc/self/mountinfo &&
		! grep "$HOME/\(state\|cache\)" /proc/net/unix
}

# left_nothing TYPE [START]: processes go at once, a service's with its sandbox; all else with the
# next start, or by rondo gc. What was asked of a service just before a kill is made after it: there
# soon, or never.
left_nothing() {
	if [ "$2" ]; then next="run next.yaml -s executor.type=$1"; else next=gc; fi
	[ "$1" = daytona ] || await nobody || return 1
	# shellcheck disable=SC2016 # what is awaited sees the variables itself
	await '"$RONDO" $next >next.out 2>&1 && nothing >/dev/null' && await nobody &&
	rm -rf "$XDG_STATE_HOME"
}
sed '/^  *```sh/,/^  *```$/d; /^  *```python/,/^  *```$/d; /^assert/d; s/^ *- |$/      - Nothing./' short.yaml >next.yaml

# --- At seeded points ---

for type in $types; do
	start=$(date +%s%N)
	check "undisturbed in $type" '
		(run short.yaml "$type" >out 2>&1) || { cat out; exit 1; }
		nobody && nothing
	'
	eval "length_$type=$((($(date +%s%N) - start) / 1000000))"
done

# killed TYPE SIGNAL MILLISECONDS: rondo is, so long after its start; unless it has ended, that is
# what it says.
killed() {
	(run() { MARK=$mark exec timeout --preserve-status -k 30 -s "$2" "$3" "$RONDO" run short.yaml \
		-s "executor.type=$1" </dev/null; }
		run "$1" "$2" "$(printf '%d.%03d' $(($3 / 1000)) $(($3 % 1000)))" >out 2>&1)
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

# --- In the midst of a block ---

# is_up: the block has made its file, here or in the service's sandbox.
is_up() {
	find "$XDG_CACHE_HOME/rondo/work" cloud/sandboxes -name ready 2>/dev/null | grep -q .
}

# begin TYPE: $rondo runs, in the midst of its second block.
begin() {
	run long.yaml "$1" >out 2>&1 &
	rondo=$!
	await is_up && await 'test "$(marked | wc -l)" -ge 4'
}

for type in $types; do
	for signal in $signals; do
		check "$type: SIG$signal in the midst of a block" '
			begin "$type" && kill -$signal $rondo && wait $rondo; code=$?
			case $signal in KILL) test $code = 137 ;; TERM) test $code = 143 ;; INT) test $code = 130 ;; esac &&
				left_nothing "$type" start
		'
	done
done

# named NAME: the pids of what rondo runs between itself and programs.
named() {
	for pid in $(marked); do
		test "$(cat "/proc/$pid/comm")" = "$1" && echo "$pid"
	done
	:
}

# goes_on TEXT: the block failed, the reply says how, and the chat went on to its end.
goes_on() {
	wait "$rondo"
	code=$?
	[ $code = 0 ] && grep "$1" out && grep "^Code output: after$" out && return
	echo "exit code $code"
	grep -v " file[0-9]* | " out
	return 1
}

for type in $types; do
	case $type in
	jupyter) told='^The kernel ended with exit code 137. The next block has a new one: variables are lost.$' ;;
	*) told='^killed by SIGKILL$' ;;
	esac
	[ $type != daytona ] || continue # no keeper of ours is there
	# Where a keeper is killed bwrap ends what it kept; nothing stands behind the keeper of programs
	# without isolation.
	[ $type = local ] || check "$type: SIGKILL of the keeper in the midst of a block" '
		begin "$type" && kill -KILL $(named rondo-keeper) && goes_on "$told" && left_nothing "$type"
	'
	[ -z "$SHORT" ] || continue
	check "$type: SIGKILL of what the keeper keeps" '
		begin "$type" && for keeper in $(named rondo-keeper); do kill -KILL $(pgrep -P $keeper) || exit 1; done && goes_on "$told" &&
			left_nothing "$type"
	'
done

for type in $types; do
	case $type in sandbox | jupyter) ;; *) continue ;; esac
	[ -z "$SHORT" ] || continue
	check "$type: SIGKILL of the first process in the box" '
		begin "$type" && for keeper in $(named rondo-keeper); do kill -KILL $(pgrep -P $(pgrep -P $keeper)) || exit 1; done && goes_on 137 &&
			left_nothing "$type"
	'
done

# What watches over a block there; the first one, for the other only waits for the block.
helper() {
	for pid in $(marked); do
		tr '\0' ' ' <"/proc/$pid/cmdline" | grep -q '^/tmp/rondo-[^ ]* keep ' && echo "$pid" &&
		return
	done
}

case $types in *daytona*)
	check 'daytona: SIGKILL of what watches over a block' '
		begin daytona && kill -KILL $(helper) && goes_on "^killed by SIGKILL$" && left_nothing daytona
	'
	check 'daytona: SIGKILL of the sandbox in the midst of a block' '
		begin daytona && pkill -KILL -o -f "^bwrap .*$HOME/cloud/sandboxes" && { wait $rondo; code=$?; } && cat out && test $code = 75 &&
			left_nothing daytona
	'
	;;
esac

check 'what rondo makes in /tmp has gone' '
	await "! find /tmp -maxdepth 1 -name \"rondo-probe-*\" 2>/dev/null | grep -vx -f probes"
'

test_done
