#!/bin/sh
test_description='stopping a run from outside, between two turns: SIGUSR1 and a control file'
. "$(dirname "$0")/lib.sh"

here=$PWD
mkfifo begun go

# meet WHEN FILE: a team whose first turn says that it has begun and waits. It stops at WHEN.
meet() {
	cat >"$2" <<-EOF
	name: meet
	task: Meet us
	models:
	  said:
	    provider: replay
	    replies:
	      - |
	        \`\`\`sh
	        echo >'$here/begun'; cat '$here/go'; echo the turn is over
	        \`\`\`
	      - TERMINATE
	agents: {speaker: {type: coder, model: said, edit_format: none}, runner: executor}
	team: {participants: [speaker, runner], termination: $1}
	executor: local
	EOF
}

# has_begun: waits until the turn has begun.
has_begun() {
	timeout 60 head -n 1 begun >line
}

# ends: waits for the run; $code is its exit code.
ends() {
	code=0
	wait $pid || code=$?
}

# during FILE ACTION: runs it by $how and acts during its first turn; out is what it printed.
how="env"
during() {
	$how "$RONDO" run "$1" >out 2>err &
	pid=$!
	has_begun && eval "$2" && echo on >go && ends
}

check 'SIGUSR1: the turn ends as usual, the next one does not begin' '
	meet "[text_mention, external]" meet.yaml && during meet.yaml "kill -USR1 \$pid" &&
	test $code = 1 &&
	grep "^the turn is over$" out && grep "External termination requested" out &&
	! grep TERMINATE out &&
	"$RONDO" show last --json | grep "\"condition\":\"external\""
'

check 'a file that appears stops the chat; its first line is the reason' '
	meet "[text_mention, {external: stop.txt}]" meet.yaml &&
	during meet.yaml "echo lunch >stop.txt" && test $code = 1 &&
	grep "^the turn is over$" out && grep "External termination requested: lunch" out &&
	! grep TERMINATE out && rm stop.txt
'

check 'the file is beside the scenario, wherever rondo was started' '
	mkdir beside && meet "[text_mention, {external: stop.txt}]" beside/meet.yaml &&
	during beside/meet.yaml ": >beside/stop.txt" && test $code = 1 &&
	grep "External termination requested" out
'

check 'SIGUSR1 changes nothing in a team without the condition' '
	meet text_mention meet.yaml && during meet.yaml "kill -USR1 \$pid" && test $code = 0 &&
	grep "^TERMINATE$" out
'

check 'two requests are one' '
	meet "[text_mention, external]" meet.yaml &&
	during meet.yaml "kill -USR1 \$pid && kill -USR1 \$pid" && test $code = 1 &&
	grep "External termination requested" out
'

check 'a timeout ends a turn that waits' '
	meet "[text_mention, {timeout: 300ms}]" meet.yaml &&
	test_expect_code 1 "$RONDO" run meet.yaml >out &&
	grep "Timeout of 0.3 seconds reached" out && ! grep "^the turn is over$" out
'

check 'SIGUSR1 stops rondo fix, too: it judges the state so far and says why it stopped' '
	tiny tiny && cd tiny &&
	printf "check:\n\t@cd \"%s\" && { test -e asked || { %s; }; }\n\t@python3 -S tests/run.py\n" \
		"$here" "touch asked; echo >begun; cat go >line" >Makefile && commit_all waits &&
	cd .. || exit 1
	"$RONDO" fix --executor local tiny >out 2>err &
	pid=$!
	has_begun && kill -USR1 $pid && echo on >go && ends && test $code = 1 &&
	grep "External termination requested" out
'

# nohup ignores SIGHUP, this shell SIGINT in what it starts in the background.
check 'signals that were ignored at the start change nothing' '
	meet text_mention meet.yaml && how=nohup && during meet.yaml "kill -HUP \$pid" &&
	test $code = 0 && grep "^TERMINATE$" out && how=env && during meet.yaml "kill -INT \$pid" &&
	test $code = 0 && grep "^TERMINATE$" out
'

# stopped SIGNAL: the signal ends a run by $how at once.
stopped() {
	$how "$RONDO" run meet.yaml >out 2>err &
	pid=$!
	has_begun && kill -s "$1" $pid && ends
}

check 'signals that were not ignored stop a run at once' '
	meet text_mention meet.yaml && stopped HUP && test $code = 129 &&
	how="env --default-signal=INT" && stopped INT && test $code = 130
'

check 'help and the man page name the signal' '
	"$RONDO" help external | grep "SIGUSR1" && "$RONDO" schema --format man | grep "^## external$"
'

test_done
