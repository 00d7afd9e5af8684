#!/bin/sh
test_description='rondo doctor DIR: what the tests of a repository need and lack'
. "$(dirname "$0")/lib.sh"

check 'doctor says what a repository needs and lacks, and what gets it' '
	mkdir node && cd node && git init -q &&
	echo "{\"scripts\": {\"test\": \"nosuch\"}, \"devDependencies\": {\"nosuch\": \"1\"}}" \
		>package.json && echo "{}" >package-lock.json && commit_all &&
	test_expect_code 3 "$RONDO" doctor . >../out && grep "^. repository node" ../out &&
	grep "^! Node  *0 of 1 packages that package-lock.json asks for are there:" ../out &&
	grep "missing: nosuch$" ../out && grep "help: npm ci, or rondo fix --setup .npm ci." ../out &&
	mkdir -p node_modules/nosuch && echo "{}" >node_modules/nosuch/package.json &&
	{ "$RONDO" doctor . --json >../out || test $? = 3; } &&
	grep "\"name\":\"Node\",\"works\":true" ../out
'

check 'doctor names a missing program, and refuses what is no repository' '
	cd node && echo "test: nosuchprogram --all" >rondo.yaml &&
	test_expect_code 3 "$RONDO" doctor . >../out &&
	grep "^! nosuchpro.* this program is not installed" ../out &&
	test_expect_code 2 "$RONDO" doctor ../nowhere 2>../err &&
	grep "^rondo: there is no directory .../nowhere.$" ../err &&
	test_expect_code 2 "$RONDO" doctor package.json 2>../err && grep "is no directory" ../err &&
	mkdir -p "$HOME/plain" && test_expect_code 2 "$RONDO" doctor "$HOME/plain" 2>../err &&
	grep "is not in a git repository" ../err
'

check 'doctor says which coding agents are here, and for which Node is too old' '
	mkdir -p bin && printf "#!/bin/sh\necho claude 2.1.330\n" >bin/claude &&
	printf "#!/bin/sh\necho v20.1.0\n" >bin/node && printf "#!/bin/sh\nexit 1\n" >bin/codex-acp &&
	chmod +x bin/* && PATH=$PWD/bin:/usr/bin:/bin "$RONDO" doctor --json >out &&
	grep "\"name\":\"coders\"" out >line && grep "claude 2.1.330" line &&
	grep "codex - (acp)" line && grep "by node 20 npm installs old versions of claude, qwen" line
'

test_done
