#!/bin/sh
test_description='doc/privacy.md: what rondo sends where'
. "$(dirname "$0")/lib.sh"

KEY=sk-planted-0123456789abcdef
SECRET=planted-in-an-ignored-file
unset HTTP_PROXY HTTPS_PROXY ALL_PROXY http_proxy https_proxy all_proxy
export OPENAI_API_KEY=$KEY
export ASAN_OPTIONS=detect_leaks=0 # it does not work under strace
strace -f -o /dev/null true 2>/dev/null && test_set_prereq STRACE
# In a network of its own; as root without a user namespace, where rondo needs other users.
if [ "$(id -u)" = 0 ]; then alone="unshare -n"; else alone="unshare -cn"; fi
$alone true 2>/dev/null && test_set_prereq ALONE

area_edit >reply
# First it looks for what nobody should see; then it mends.
cat >look <<-\EOF
	```sh
	env; cat .env; ls -a ~ /root /home; cat /etc/hostname; git remote -v
	```
EOF
printf '%s\n' 'say-file look' reply 'say-file reply' 'scene large' 'say-file reply' >scenes
port=$("$SOURCE/tests/lib/server" -d scenes log 3>&- 4>&- 5>&-)
cleanup "kill $(cat log.pid)"
export OPENAI_BASE_URL="http://127.0.0.1:$port/v1"

tiny repo
(
	cd repo && echo .env >.gitignore && echo "TOKEN=$SECRET" >.env && commit_all ignore &&
		git remote add origin "http://127.0.0.1:$port/repo.git" &&
		git checkout -q -b feature && sed -i "s/+ height/* height/" shapes.py &&
		git commit -qam feature && git checkout -q main
)

# families COMMAND...: the families of the sockets that it and its children open.
families() {
	strace -f -qq -e trace=socket -o "$HOME/trace" "$@" >"$HOME/out" 2>&1 || [ $? = 1 ] || return
	sed -n 's/.*socket(AF_\([A-Z0-9_]*\).*/\1/p' "$HOME/trace" | sort -u
}

# What bwrap asks the kernel for loopback, and what names of users are asked.
check SANDBOX,STRACE 'without a model no socket could leave the machine' '
	cd repo &&
	for command in "fix -q" "verify -q feature" "doctor" "doctor ." "list models" "show" "gc" \
		"batch -q .. -o ../all" "fix -q --coder repair --model openai/x"; do
		families "$RONDO" $command >families && ! grep -v "^NETLINK$\|^UNIX$" families ||
			{ echo "$command"; cat families "$HOME/out"; exit 1; }
	done && test ! -s ../log
'

check SANDBOX,ALONE 'without a model it works where there is no network' '
	cd repo && $alone "$RONDO" fix -q >../out && grep "^✓ verified in a fresh checkout" ../out &&
	$alone "$RONDO" verify -q feature >../out && grep "^✓ verified: 1 test fixed" ../out
'

check SANDBOX,STRACE 'with a model its host is reached, and no other address' '
	cd repo && strace -f -qq -e trace=connect,sendto -o ../trace "$RONDO" fix --coder model \
		--model openai/x >../out && grep "verified in a fresh checkout" ../out &&
	grep -o "sa_family=AF_INET6*, sin6*_port=htons([0-9]*).*inet_[a-z]*([^)]*)" ../trace |
		sort -u >../reached && cat ../reached && grep "htons($port)" ../reached &&
	! grep -v "htons($port), sin_addr=inet_addr(\"127.0.0.1\")" ../reached
'

check SANDBOX 'a request has no key, no ignored file, nothing of the user or the machine' '
	cd repo && "$RONDO" fix --coder model --model openai/x >../out && cd .. &&
	python3 - "$KEY" "$SECRET" <<-\EOF && ! grep -r "$KEY" state
	import json, os, platform, sys
	key, secret = sys.argv[1:]
	requests = [json.loads(line) for line in open("log")]
	assert len(requests) >= 2
	for request in requests:
	    assert request["path"] == "/v1/chat/completions", request["path"]
	    headers = request["headers"]
	    assert headers.pop("authorization") == "Bearer " + key
	    assert headers.pop("user-agent").startswith("rondo/")
	    assert not set(headers) - {"host", "accept", "accept-encoding", "content-type",
	                               "content-length"}, headers
	    for planted in (key, secret, "repo.git", platform.node() or "-no-"):
	        assert planted not in json.dumps(request), planted
	first, second = (json.dumps(request["body"]) for request in requests[:2])
	assert "return width + height" in first
	for planted in (os.getcwd(), os.environ["HOME"], "A Person", "person@example.org"):
	    assert planted not in first, planted
	assert ".env: No such file or directory" in second
	# As the page says, what runs can print where the repository is.
	assert os.getcwd() + "/repo" in second
	EOF
'

check SANDBOX 'of a large repository no more is sent than context and map say' '
	tiny large && cd large && mkdir many && for i in $(seq 300); do
		seq 100 | sed "s/.*/def of_${i}_&(x):\n    return x + &\n/" >many/m$i.py || exit 1
	done && commit_all large && OPENAI_BASE_URL=http://127.0.0.1:$port/large "$RONDO" fix \
		--coder model --model openai/x >../out && cd .. && python3 - <<-\EOF
	import json
	sent = [request["body"]["messages"] for request in map(json.loads, open("log"))
	        if request["scene"] == "large"]
	size = sum(len(message["content"]) for message in sent[0])
	assert 4096 < size < (48 + 8 + 8) * 1024, size
	EOF
'

check SANDBOX 'neither tests nor commands of a model see a key' '
	tiny prints && cd prints && printf "check:\n\t@env; python3 -S tests/run.py\n" >Makefile &&
	commit_all prints && "$RONDO" fix --json >../events && ! grep -r "$KEY\|_API_KEY" ../events &&
	! grep -r "$KEY" ../state
'

check 'only the user may read what is kept' '
	test -z "$(find state/rondo cache/rondo -maxdepth 1 -perm /077)"
'

test_done
