#!/bin/sh
test_description='rondo mcp, to a client of both eras'
. "$(dirname "$0")/lib.sh"
export EXECUTOR

# conversation NAME: in a repository of its own (tests/cli/t1600/cases.py).
conversation() {
	mkdir "$1" && tiny "$1/repo" && tiny "$1/other" && tiny "$1/a name" && cd "$1/repo" &&
		PYTHONDONTWRITEBYTECODE=1 timeout 300 /usr/bin/python3 \
			"$SOURCE/tests/cli/t1600/cases.py" "$1"
}

while read -r name title; do
	check "$title" "XDG_STATE_HOME=\$HOME/state/$name && conversation $name"
done <<-\EOF
	legacy the legacy era: versions, and what it has not
	modern the modern era: each request says its version
	both_at_once a connection may have both
	schemas tools have schemas, and say what they do
	judgements verified, not verified and refused are judgements
	judgements_modern so, too, in the modern era
	uncommitted the uncommitted work, and HEAD without it
	bad_arguments words that a model can act on
	cannot_judge where nothing can be judged, that is an error
	many_failures of long lists the beginning
	reports reports and diffs, but of no other directory
	wrong_messages batches, wrong ids, wrong JSON, answers that nobody waits for
	ids ids come back as they were sent
	large_line 100 MB in a line
	many_requests a client that asks and does not listen
	half_a_line what has no newline is no message
	parallel calls run side by side
	cancel each call is cancelled alone, and is silent then
	progress who gives a token is told every five seconds
	too_many no more than 16 calls at once
	closes_in_mid_call a client that closes in mid-call
	closes_while_fixing and in the middle of the search
	nobody_listens a client that only stops reading
	terminated SIGTERM ends it in order
	outside no way out: parents, links, the repository around a root
	foreign_data a file .git that names the data of another repository
	several_roots of several directories, a call names one
	client_roots the directories of the client
	options_hold what the user set holds, and no call widens it
	connected by a socket, through --connect
EOF

test_done
