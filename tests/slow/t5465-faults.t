#!/bin/sh
# shellcheck disable=SC2154 # mark and nap are of tests/lib/left.sh
test_description='what blocks do wrong, in every executor: only `type` changes'
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/lib/left.sh"

# What is there; a service is one of the test's. Docker's own are in t5600-docker.t.
types=local
test_have_prereq SANDBOX && types="$types sandbox"
test_have_prereq SANDBOX && doctor_says '^✓ jupyter' && types="$types jupyter"
if test_have_prereq SANDBOX; then
	export DAYTONA_API_KEY=dtn_0123456789
	DAYTONA_API_URL=http://127.0.0.1:$("$SOURCE/tests/lib/daytona" -d cloud 3>&- 4>&- 5>&-)/api
	export DAYTONA_API_URL
	cleanup 'kill $(cat cloud/pid)'
	types="$types daytona"
fi

# faulty NAME TYPE [WRAPPER...]: the blocks of tests/slow/t5465/NAME.py, parted by lines of ---, one
# a turn, each in Python. The chat goes on to its end; what the executor said is in said, what was
# kept in kept.
faulty() {
	name=$1 type=$2
	shift 2
	{
		printf 'name: %s\ntask: Go on.\nmodels:\n  said:\n    provider: replay\n    replies:\n      - |\n        ```python\n' "$name"
		sed -e "s|NAP|$nap|g; s|OUTSIDE|$HOME/outside|g; s/^/        /" \
			-e 's/^        ---$/        ```\n      - |\n        ```python/' \
				"$SOURCE/tests/slow/t5465/$name.py"
		cat <<-EOF
		        \`\`\`
		      - TERMINATE
		agents: {coder: {type: coder, model: said, edit_format: none}, executor: executor}
		team: {participants: [coder, executor], termination: text_mention/TERMINATE}
		executor: {type: $type, timeout: ${limit:-60s}, env: {MARK: $mark}}
		EOF
	} >$name.yaml
	rm -rf kept state && mkdir -p outside && echo canary >outside/canary || return
	MARK=$mark "$@" "$RONDO" run $name.yaml --out kept </dev/null >out 2>&1
	code=$?
	awk '/^---------- .* ----------$/ { on = $2 == "executor"; next } /^[✓✗]/ { exit } on' out >said
	if [ $code != 0 ] || ! grep -q '^Code output: on$' said; then
		echo "exit code $code"
		head -c 5000 out
		return 1
	fi
}

# left_nothing: neither here nor there, and nothing outside was changed.
left_nothing() {
	await nobody && test -z "$(ls "$XDG_CACHE_HOME/rondo/work")" &&
	{ [ ! -d cloud ] || test -z "$(ls cloud/sandboxes)"; } &&
		echo canary | cmp - outside/canary && test "$(ls outside)" = canary
}

# says REGEX: the executor does.
says() {
	grep -- "$1" said || { head -c 5000 said && false; }
}

for type in $types; do
	check "$type: a block forks 500 times" '
		faulty forks $type && says "^Code output: 500$\|too many processes" && left_nothing
	'

	check "$type: a block prints a gigabyte" '
		faulty flood $type && says "printed too much\|printed more than is allowed\|one is larger than 32 MiB" &&
			test $(wc -c <out) -lt 300000 && left_nothing
	'

	check "$type: a block ignores SIGTERM and SIGINT" '
		limit=3s && faulty deaf $type && says "^exitcode: 124 " && says "Timeout$" && left_nothing
	'

	check "$type: a block leaves daemons" '
		faulty daemons $type && says "^Code output: left$" && left_nothing &&
			if [ $type = jupyter ]; then says "^came: True$"; else says "^came: False$"; fi
	'

	check "$type: a block writes a FIFO, also where another block will lie" '
		faulty fifo $type && says "^Code output: made$" && ! find kept -type p | grep . && left_nothing
	'

	check "$type: a block makes links out of the tree" '
		faulty links $type && says "^Code output: linked$" && ! grep -r root: kept && left_nothing
	'

	check "$type: a block makes a file named like that of another" '
		faulty names $type && says "^Code output: mine$" && says "^Code output: yours$" && left_nothing
	'

	# A disk of its own, for nothing else holds a block that runs on this machine as it is. A service
	# has another: there it is the block's own concern.
	check ROOT "$type: a block fills the disk" '
		own="mount -t tmpfs -o size=64m,mode=755 tmpfs \"$XDG_CACHE_HOME\" && exec \"\$@\"" &&
			mkdir -p cache && faulty disk $type unshare -m sh -c "$own" sh || { [ $code = 75 ] && grep "No space left on device" out; } || exit 1
		{ [ $type != daytona ] || says "it is larger than 64 MiB"; } && left_nothing
	'
done

test_done
