#!/bin/sh
test_description='what the tests need is installed once, with consent, and kept'
. "$(dirname "$0")/lib.sh"

# lacking DIR: a suite that needs a program and a file that only a setup makes. One test is red.
lacking() {
	rm -rf "$1" && tiny "$1" && cd "$1" &&
	printf 'deps/\n' >.gitignore && mkdir tools &&
	printf '%s\n' 'mkdir -p deps "$HOME/.local/bin"' 'echo made >>deps/made' \
		'printf "#!/bin/sh\ncat deps/made\n" >"$HOME/.local/bin/helper"' \
		'chmod +x "$HOME/.local/bin/helper"' >tools/install &&
	commit_all
}

# needing: fix where the suite needs what the setup made, once.
needing() {
	fix --test 'test "$(helper)" = made && make check' "$@"
}

kept() {
	ls ../cache/rondo/setup 2>/dev/null | wc -l
}

check SANDBOX 'a setup runs once; baseline, candidates and gate find what it left' '
	lacking shop && fingerprint >../before && needing --setup "sh tools/install" >../out &&
	fingerprint >../after && test_cmp ../before ../after && grep "verified" ../out &&
	grep "^. setup  *sh tools/install$" ../out &&
	grep "the setup was run: sh tools/install (.* kept)" ../out && test $(kept) = 1 &&
	git diff --name-only main "$(the_branch)" >../changed && ! grep deps ../changed
'

check SANDBOX 'a second run finds it' '
	cd shop && git branch -D "$(the_branch)" && echo "# comment" >>README && commit_all &&
	needing --setup "sh tools/install" >../out && grep "verified" ../out && test $(kept) = 2 &&
	git branch -D "$(the_branch)" && needing --setup "sh tools/install" >../out &&
	grep "the setup was run before: sh tools/install" ../out && grep "verified" ../out &&
	test $(kept) = 2
'

check LONG,SANDBOX 'another command, or other files, is another setup' '
	cd shop && git branch -D "$(the_branch)" && echo "echo more" >>tools/install && commit_all &&
	needing --setup "sh tools/install" >../out && grep "the setup was run: " ../out &&
	git branch -D "$(the_branch)" && needing --setup "sh tools/install && true" >../out &&
	grep "the setup was run: " ../out
'

check SANDBOX 'the setup has the network, the tests have none' '
	lacking online && cat >../serve.py <<-\EOF &&
	import socket
	server = socket.create_server(("127.0.0.1", 0))
	print(server.getsockname()[1], flush=True)
	while True:
	    server.accept()
	    open("reached", "w")
	EOF
	{ cd .. && python3 serve.py >port & } && server=$! && await "test -s ../port" &&
	echo "import socket; socket.create_connection((\"127.0.0.1\", $(cat ../port)))" >reach.py &&
	commit_all && fix --setup "python3 reach.py" >../out \
		--test "! python3 reach.py 2>/dev/null && make check" &&
	grep "verified" ../out && test -e ../reached && kill $server
'

check SANDBOX 'a failed setup is told with its last lines, and nothing is kept' '
	lacking failing &&
	before=$(kept) && test_expect_code 3 needing --setup true \
		--setup "echo reason; echo no luck >&2; exit 7" 2>../err &&
	grep "^rondo: setup: .echo reason; echo no luck >&2; exit 7. ended with exit code 7:" ../err &&
	grep "no luck" ../err && log=$(sed -n "s/.*the output is kept in //p" ../err) &&
	grep "no luck" "$log" && test $(kept) = $before && test -z "$(ls ../cache/rondo/work)"
'

check SANDBOX 'a setup that is killed leaves nothing' '
	lacking killed && before=$(kept) &&
	{ "$RONDO" fix --setup "echo >ready; sleep 60" >../out 2>../err & } && pid=$! &&
	await "find ../cache/rondo/work -name ready | grep -q ready" && kill -9 $pid &&
	{ wait $pid || test $? -gt 128; } &&
	await "\"$RONDO\" gc && test -z \"\$(ls ../cache/rondo/work)\"" && test $(kept) = $before
'

check LONG,SANDBOX 'two at the same time leave one' '
	lacking two && before=$(kept) &&
	{ needing --setup "sh tools/install" --branch a >../out1 2>&1 & } && first=$! &&
	{ needing --setup "sh tools/install" --branch b >../out2 2>&1 & } && second=$! &&
	wait $first && wait $second && grep verified ../out1 && grep verified ../out2 &&
	test $(kept) = $((before + 1))
'

check SANDBOX 'a repository only proposes a setup' '
	lacking theirs && printf "%s\n" "setup: sh tools/install" >rondo.yaml && commit_all &&
	test_expect_code 3 needing >../out && before=$(kept) &&
	grep "^. setup  *proposed by rondo.yaml: sh tools/install" ../out &&
	grep "rondo.yaml proposes a setup, which was not run: sh tools/install; --allow-setup" ../out &&
	needing --allow-setup >../out && grep "verified" ../out && test $(kept) = $((before + 1)) &&
	git branch -D "$(the_branch)" && needing >../out && grep "the setup was run before" ../out
'

check SANDBOX 'at a terminal the user is asked' '
	cd theirs && git branch -D "$(the_branch)" && echo "# other" >>tools/install && commit_all &&
	ask() {
		TERM=xterm "$SOURCE/tests/lib/terminal" "network. .y/N. " "$1" -- \
			"$RONDO" fix --test "test \"\$(helper)\" = made && make check" >../seen
	} && test_expect_code 3 ask "\r" && grep "the setup of rondo.yaml was not run" ../seen &&
	test_expect_code 3 ask "no\r" && ask "y\r" &&
	grep "rondo.yaml proposes a setup: sh tools/install" ../seen && grep "verified" ../seen
'

check SANDBOX 'the setup of the command line takes the place of the repository'"'"'s' '
	cd theirs && git branch -D "$(the_branch)" && test_expect_code 3 needing --setup true >../out &&
	grep "^. setup  *true$" ../out && ! grep proposed ../out
'

check SANDBOX 'what the kept results may take is bounded' '
	lacking big && fill="mkdir deps && head -c 3000000 /dev/zero >deps/zero" &&
	test_expect_code 3 needing --setup "$fill" -s setup.size=2M 2>../err &&
	grep "left 3.0 MB, more than setup.size (2.1)" ../err &&
	test_expect_code 3 needing --setup "$fill" >../out && grep "MB kept" ../out &&
	needing --setup "sh tools/install" -s setup.size=1M >../out && test $(kept) = 1
'

check SANDBOX 'rondo gc removes what nobody uses' '
	cd big && "$RONDO" gc >../out && test $(kept) = 1 && "$RONDO" gc --setups >../out &&
	grep "^1 result of a setup removed" ../out && test $(kept) = 0
'

check SANDBOX,ROOT 'a full disk is told, and nothing is left' '
	lacking full && mkdir -p ../small && cat >../try <<-\EOF &&
	mount -t tmpfs -o size=24m none ../small && export XDG_CACHE_HOME=$PWD/../small &&
	code=0 && { "$RONDO" fix --setup "mkdir deps; head -c 30M /dev/zero >deps/zero" 2>../err ||
		code=$?; } && test $code = 3 && grep "^rondo: setup: .mkdir deps" ../err &&
	test -z "$(ls ../small/rondo/work)" && ! ls ../small/rondo/setup/* &&
	"$RONDO" fix --setup "mkdir deps" --dry-run
	EOF
	unshare -m sh ../try
'

check SANDBOX 'what is missing is told with a setup that installs it' '
	rm -rf node && mkdir node && cd node && git init -q &&
	echo "{\"scripts\": {\"test\": \"nosuch\"}, \"devDependencies\": {\"nosuch\": \"1\"}}" \
		>package.json && echo "{}" >package-lock.json && commit_all &&
	test_expect_code 3 fix --test nosuch >../out &&
	grep "help  *npm ci, or rondo fix --setup .npm ci." ../out &&
	echo "setup: npm ci" >rondo.yaml && commit_all &&
	test_expect_code 3 fix --test nosuch >../out &&
	grep "help  *npm ci, or rondo fix --allow-setup" ../out
'

check 'init proposes a setup as a comment' '
	cd node && rm -f rondo.yaml && "$RONDO" init && grep "^# setup: \"npm ci\"$" rondo.yaml &&
	"$RONDO" list config >../out && grep "^setup.commands  *-  *default" ../out
'

check 'workspace.setup says where it went' '
	lacking old && echo "workspace: {setup: make x}" >rondo.yaml &&
	test_expect_code 2 fix 2>../err &&
	grep "key .setup. in workspace was removed: it is a key of its own" ../err
'

check 'without a sandbox it runs in each checkout' '
	lacking plain && fix --executor local --setup "mkdir -p deps; echo made >>deps/made" \
		--test "test \"\$(cat deps/made)\" = made && make check" >../out && grep "verified" ../out
'

test_done
