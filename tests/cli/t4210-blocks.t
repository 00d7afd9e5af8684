#!/bin/sh
test_description='code blocks: what runs, what is kept, what is said, what is refused; semantics
8.4, 8.6 and 8.9'
. "$(dirname "$0")/lib.sh"

# What is not the same in all executors: whose Python and node programs see, and directories of this
# machine.
case $EXECUTOR in local | sandbox) test_set_prereq CHECKOUTS_PYTHON ;; esac
[ "$EXECUTOR" != daytona ] && test_set_prereq READ_ONLY
[ "$EXECUTOR" != docker ] && test_have_prereq NODE && test_set_prereq ANY_NODE

# chat OPTIONS REPLY...: a coder who says these, in YAML's double quotes, and an executor with the
# options of a YAML map; what was said is out, the executor's part of it said, and what was written
# is in kept.
chat() {
	options=$1 && shift &&
	{
		printf 'task: Go on.\nmodels:\n  said:\n    provider: replay\n    replies:\n'
		printf '      - "%s"\n' "$@" TERMINATE
		cat <<-EOF
		agents:
		  coder: {type: coder, model: said, edit_format: none}
		  executor: {type: executor$options}
		team: {participants: [coder, executor], termination: text_mention/TERMINATE}
		executor: {type: $EXECUTOR$MORE}
		EOF
	} >chat.yaml && rm -rf kept && "$RONDO" run chat.yaml --out kept >out &&
	awk '/^---------- .* ----------$/ { on = $0 == "---------- executor ----------"; next } /^[✓✗]/ { exit } on' out >said
}

# tiny_wheel: wheels/ with one package, tiny, whose value is 42.
tiny_wheel() {
	mkdir -p wheels && (cd wheels &&
	python3 - <<-EOF
	import zipfile
	with zipfile.ZipFile("tiny-1.0-py3-none-any.whl", "w") as wheel:
	    wheel.writestr("tiny.py", "value = 42\n")
	    wheel.writestr("tiny-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n")
	    wheel.writestr("tiny-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
	    wheel.writestr("tiny-1.0.dist-info/RECORD", "")
	EOF
	)
}

check '69, 71: a block of each runs' '
	chat "" "\`\`\`python\nprint(\\\"hello world!\\\")\n\`\`\`" \
		"\`\`\`bash\necho hello world!\n\`\`\`" &&
	grep -c "^Code output: hello world!$" said | grep -x 2
'

check '81, 87: what a run keeps of its executor makes the same one' '
	rm -rf "$HOME/state" &&
	MORE=", work_dir: a/b, timeout: 7s, allow: [sh], policies: {css: ignore}, env: {COLOUR: red}" &&
	chat "" "\`\`\`sh\npwd; echo \$COLOUR\n\`\`\`" && MORE= && cp said first &&
	cp "$HOME"/state/rondo/runs/*/scenario.json again.json &&
	"$RONDO" run again.json >out &&
	awk "/^---------- .* ----------\$/ { on = \$2 == \"executor\"; next } /^[✓✗]/ { exit } on" out \
		>said &&
	grep "/a/b$" said && grep -x red said && { test "$EXECUTOR" = local || test_cmp first said; } &&
	rm -rf "$HOME/state" && "$RONDO" run again.json >out &&
	cmp again.json "$HOME"/state/rondo/runs/*/scenario.json
'

check '73: what takes too long is ended, and said to be' '
	MORE=", timeout: 1s" && chat "" "\`\`\`sh\necho begun; sleep 100\n\`\`\`" && MORE= &&
	grep "^exitcode: 124 (execution failed)$" said && grep "^Code output: begun$" said &&
	grep -x Timeout said
'

check '77: a file out of the workspace is refused, and what was printed before is kept' '
	chat "" "\`\`\`sh\necho before\n\`\`\`\n\`\`\`python\n# filename: /tmp/test.py\nprint(1)\n\`\`\`" &&
	grep "^Code output: before$" said && grep "/tmp/test.py" said && grep "^exitcode: 1" said
'

check '83, 91, 175, 176: files that blocks name and make are kept and told, those that rondo names are not' '
	chat "" "\`\`\`python\n# filename: a/b.py\nopen(\\\"made\\\", \\\"w\\\")\n\`\`\`\n\`\`\`sh\nfalse\n\`\`\`" &&
	grep -x "Files written: a/b.py, made" said &&
	(cd kept && find . -type f | LC_ALL=C sort) >files &&
	printf "./a/b.py\n./made\n" | test_cmp - files
'

check '137, 143: a policy says what is only saved' '
	MORE=", policies: {python: save, css: ignore}" &&
	chat "" "\`\`\`python\n# filename: a.py\nprint(1)\n\`\`\`\n\`\`\`css\n/* filename: a.css */\n\`\`\`\n\`\`\`html\n<!-- filename: a.html -->\n\`\`\`" && MORE= &&
	grep -x "exitcode: 0 (execution succeeded)" said && grep -x "Files written: a.html, a.py" said
'

check '141: a name in the first comment of any style; without the word it is none (177)' '
	chat "" "\`\`\`python\n# filename: test.py\nprint(1)\n\`\`\`\n\`\`\`css\n/* filename: test.css */\n\`\`\`\n\`\`\`html\n<!-- filename: test.html -->\n\`\`\`" \
		"\`\`\`python\n# test.py\nprint(2)\n\`\`\`\n\`\`\`css\n/* test.css */\n\`\`\`\n\`\`\`html\n<!-- test.html -->\n\`\`\`" &&
	grep -x "Files written: test.css, test.html, test.py" said && grep -x "Code output: 1" said &&
	grep -x "Code output: 2" said &&
	test "$(grep -c Files said)" = 1 && test "$(grep -c "exitcode: 0" said)" = 2 &&
	tail -n 1 kept/test.py | grep "print(1)"
'

check ANY_NODE '141: the same in JavaScript' '
	chat "" "\`\`\`js\n// filename: d/test.js\nconsole.log(1)\n\`\`\`\n\`\`\`js\n// test.js\nconsole.log(2)\n\`\`\`" &&
	grep -x "Files written: d/test.js" said && grep -x "Code output: 1" said && grep -x 2 said
'

check '177: a comment is no name' '
	chat "" "\`\`\`python\n# compute the sum\nprint(1 + 1)\n\`\`\`" &&
	grep "^Code output: 2$" said && ! grep Files said
'

check '178: a name behind a shebang, or an empty line' '
	chat "" "\`\`\`sh\n#!/bin/sh\n\n# filename: run.sh\necho x\n\`\`\`" \
		"\`\`\`python\n\n\n# filename: late.py\nprint(1)\n\`\`\`" &&
	grep -x "Files written: run.sh" said && grep -x "Files written: late.py" said
'

check \
	'178: a name that leads out, also by a link, is refused, and what was printed before is kept' '
	chat "" "\`\`\`sh\necho one; ln -s /tmp out\n\`\`\`\n\`\`\`sh\n# filename: ../x\necho never\n\`\`\`" &&
	grep -x "Code output: one" said && grep "^.\.\./x. leaves the tree$" said &&
	grep -x "exitcode: 1 (execution failed)" said && ! grep never said
'

# What leads out never comes here from Daytona; there the name is one of the tree again.
check '178: nor is anything written through a link' '
	chat "" "\`\`\`sh\necho one; ln -s /tmp out\n\`\`\`\n\`\`\`sh\n# filename: out/rondo-$$\necho two\n\`\`\`" "\`\`\`sh\nls /tmp\n\`\`\`" &&
	grep "^Code output: one" said && ! grep -x "rondo-$$" said && ! test -e "/tmp/rondo-$$" &&
	{ test "$EXECUTOR" = daytona || { grep "^cannot write .out/rondo-$$.: " said && ! grep -x two \
		said; }; }
'

check '179: languages in every spelling; 117: code without one' '
	chat "" "\`\`\`Python\nprint(1)\n\`\`\`\n\`\`\`python3 title=x\nprint(2)\n\`\`\`\n\`\`\`shell\necho 3\n\`\`\`\n\`\`\`py \nprint(4)\n\`\`\`\n\`\`\`\nprint(5)\n\`\`\`\n\`\`\`bash\r\necho 6\r\n\`\`\`\r\n" &&
	grep -x "Code output: 1" said && seq 2 6 >want &&
	tr -d "\r" <said | grep -x "[2-6]" | test_cmp want -
'

check '180: a fence within a longer one is text; 181: common indentation goes, also of a whole message (147)' '
	chat "" "\`\`\`\`markdown\n\`\`\`python\nprint(1)\n\`\`\`\n\`\`\`\`" \
		"  \`\`\`python\n  if 1:\n      print(2)\n  \`\`\`" \
		"    Code:\n    \`\`\`python\n    print(\\\"hello extract code\\\")\n    \`\`\`" &&
	grep -c "^exitcode:" said | grep -x 2 && grep -x "Code output: 2" said &&
	grep -x "Code output: hello extract code" said
'

check '182: a block that was cut off is said to be' '
	chat "" "\`\`\`python\nprint(1)\n" &&
	grep "^Code output: This block was cut off: its closing fence is missing. It was not run.$" said
'

check '139: a working directory out of the workspace is an error' '
	MORE=", work_dir: /invalid/directory" &&
	test_expect_code 2 chat "" "\`\`\`sh\ntrue\n\`\`\`" 2>err &&
	grep "executor.work_dir: ./invalid/directory. is not a path below the tree" err
'

check '145: dangerous commands do no harm in the sandbox' '
	test "$EXECUTOR" = local || {
		chat "" "\`\`\`sh\nrm -rf / 2>/dev/null; mv a /dev/null; dd if=/dev/zero of=/dev/sda; echo Hello >/dev/sda; :(){ :|:& };:\n\`\`\`" "\`\`\`sh\necho on\n\`\`\`" &&
		grep "^Code output: on$" said && test -d /usr/bin && test -x "$RONDO"
	}
'

check CHECKOUTS_PYTHON '79: the checkout of a virtual environment runs in it' '
	mkdir -p venv &&
	(cd venv && git init -q . && echo .venv >.gitignore && /usr/bin/python3 -m venv --without-pip \
		.venv && git add . && git -c user.name=t -c user.email=t@t commit -qm x) && {
		cat <<-EOF
		task: Go on.
		workspace: {repo: venv}
		models: {said: {provider: replay, replies: ["\`\`\`python\nimport sys; print(sys.prefix != sys.base_prefix)\n\`\`\`", TERMINATE]}}
		agents: {coder: {type: coder, model: said, edit_format: none}, executor: executor}
		team: {participants: [coder, executor], termination: text_mention/TERMINATE}
		executor: {type: $EXECUTOR}
		EOF
	} >venv.yaml && "$RONDO" run venv.yaml >out && grep -x "Code output: True" out
'

check 'what is only shown does not run' '
	chat "" "\`\`\`json\n{}\n\`\`\`\n\`\`\`\nexpected: 5\n\`\`\`\n\`\`\`python\nprint(5)\n\`\`\`" &&
	grep "^exitcode: 0" said && grep "^Code output: 5$" said
'

check 'pip does not chatter, and what it installs is there for the next block' '
	tiny_wheel && {
		cat <<-EOF
		task: Go on.
		workspace: {copy: wheels}
		models: {said: {provider: replay, replies: ["\`\`\`sh\npython3 -m pip install --no-index --find-links . tiny\n\`\`\`\n\`\`\`python\nimport tiny; print(tiny.value)\n\`\`\`", TERMINATE]}}
		agents: {coder: {type: coder, model: said, edit_format: none}, executor: executor}
		team: {participants: [coder, executor], termination: text_mention/TERMINATE}
		executor: {type: $EXECUTOR}
		EOF
	} >pip.yaml && "$RONDO" run pip.yaml >out && grep -x "Code output: 42" out
'

check READ_ONLY 'packages are installed once, before anything runs' '
	tiny_wheel && {
		cat <<-EOF
		task: Go on.
		models: {said: {provider: replay, replies: ["\`\`\`python\nimport tiny; print(tiny.value)\n\`\`\`", TERMINATE]}}
		agents: {coder: {type: coder, model: said, edit_format: none}, executor: executor}
		team: {participants: [coder, executor], termination: text_mention/TERMINATE}
		executor: {type: $EXECUTOR, read_only: [wheels], pip: [--no-index, --find-links=$PWD/wheels, tiny]}
		EOF
	} >packages.yaml && "$RONDO" run packages.yaml --log-file log >out && grep -x \
		"Code output: 42" out && grep "installing packages" log &&
	"$RONDO" run packages.yaml --log-file again >out && grep -x "Code output: 42" out &&
	! grep "installing packages" again
'

check READ_ONLY 'packages that are not to be had, and directories that are not there, are errors before anything is said' '
	test_expect_code 3 "$RONDO" run -s "executor.pip=[--no-index, nothing-of-that-name]" \
		packages.yaml 2>err &&
	grep "executor.pip: .python3 -m pip install .* nothing-of-that-name. ended with exit code 1: ERROR: " err &&
	grep "executor.network: host, where they come from the network" err &&
	test_expect_code 2 "$RONDO" run -s "executor.read_only=[nowhere]" packages.yaml 2>err &&
	grep "executor.read_only: .*nowhere" err
'

check 'as AutoGen words it: no output, an error, nothing to run' '
	chat ", reply: autogen" "\`\`\`python\nx = 1\n\`\`\`" "\`\`\`sh\necho out; exit 3\n\`\`\`" \
		"\`\`\`sh\necho plain\n\`\`\`" "Well." &&
	grep "^The script ran but produced no output to console. The POSIX exit code was: 0. If you were" said &&
	grep -x "The script ran, then exited with an error (POSIX exit code: 3)" said &&
	grep -x "Its output was:" said &&
	grep -x plain said && grep "^No code blocks found in the thread." said
'

check '93: functions of the user are imported and told; 97: without their bodies' '
	printf "def double(x: int) -> int:\n    \"\"\"Twice x.\"\"\"\n    return 2 * x\n" >mine.py && {
		cat <<-EOF
		task: Go on.
		models: {said: {provider: replay, replies: ["\`\`\`python\nfrom functions import double\nprint(double(21))\n\`\`\`", TERMINATE]}}
		agents:
		  coder: {type: coder, model: said, edit_format: none, functions: [mine.py]}
		  executor: {type: executor, functions: [mine.py]}
		team: {participants: [coder, executor], termination: text_mention/TERMINATE}
		executor: {type: $EXECUTOR}
		EOF
	} >functions.yaml && "$RONDO" run functions.yaml >out && grep -x "Code output: 42" out
'

check '95: functions that do not load are an error before anything is said' '
	printf "import nothing_here\n" >mine.py &&
	test_expect_code 2 "$RONDO" run functions.yaml 2>err &&
	grep "agent .executor.: functions failed to load: ModuleNotFoundError: No module named .nothing_here." err
'

check 'what blocks change where they may not is put back' '
	chat ", paths: [\"out/\", \"*.txt\"]" \
		"\`\`\`sh\nmkdir out; echo 1 >out/a; echo 2 >b.txt; echo 3 >c.py\n\`\`\`" &&
	grep -x "exitcode: 1 (execution failed)" said && grep -x "Files written: b.txt, out/a" said &&
	grep -x "Put back, since nothing may change there: c.py" said && test -f kept/out/a &&
	! test -e kept/c.py
'

# faults PLACE-AND-TEXT... <SETTINGS: what check says of an executor with these, and of an agent in
# line 2.
faults() {
	printf "%s\n" \
		"task: x" "agents: {e: {type: executor$AGENT}}" \
		"team: {participants: [e], max_turns: 1}" "executor:" >bad.yaml && cat >>bad.yaml &&
	test_expect_code 2 "$RONDO" check bad.yaml >err && cat err &&
	for fault; do grep "^bad.yaml:$fault" err || return 1; done &&
	test "$(wc -l <err)" = $(($# + 1))
}

check '152: a time that is none is refused with its place' '
	faults "6:[0-9]*: .*timeout.*-1" "7:[0-9]*: .*start_timeout.*0" <<-\EOF
		  type: daytona
		  timeout: -1
		  start_timeout: 0
		EOF
'

check '143: what an executor is told that cannot be is shown with its place: languages, policies, directories, variables' '
	AGENT=", allow: [Python]" &&
	faults "2:[0-9]*: agent .e.: allow: unknown language .Python., did you mean .python.?" \
		"5:[0-9]*: executor.allow: unknown language .cobol.; what runs it is said in executor.languages" \
		"6:[0-9]*: executor.policies: .keep. of python is none of run, save, ignore" \
		"6:[0-9]*: executor.policies: unknown language .csss., did you mean .css.?" \
		"7:[0-9]*: executor.work_dir: .../out. leaves the tree" \
		"8:[0-9]*: executor.env: .A B. cannot name a variable: letters, digits and _" \
		"8:[0-9]*: executor.env must not hold keys: .X_API_KEY." <<-\EOF
		  allow: [cobol, count]
		  policies: {python: keep, csss: save}
		  work_dir: ../out
		  env: {"A B": x, X_API_KEY: y, FINE_1: z}
		  languages: {count: wc -l}
		EOF
'

check '95: ... functions that are not there, or no module' '
	echo "x = 1" >fine.py && mkdir -p more && cp fine.py more && cp fine.py no-name.py &&
	executor="  type: local" &&
	AGENT=", functions: [fine.py, nowhere.py]" &&
	echo "$executor" | faults "2:[0-9]*: agent .e.: functions: .*nowhere.py" &&
	AGENT=", functions: [fine.py, no-name.py]" &&
	echo "$executor" | faults "2:[0-9]*: agent .e.: functions: .no-name.py. is no Python module" &&
	AGENT=", functions: [fine.py, more/fine.py]" &&
	echo "$executor" |
		faults "2:[0-9]*: agent .e.: functions: .fine.py. and .more/fine.py. would be one module"
'

check '153: ... and what goes with no other: snapshot or image, resources, a place in the tree' '
	faults "8:[0-9]*: executor.image: Cannot specify both snapshot .a. and image .b.: a sandbox is made of one of them" <<-\EOF &&
		  type: daytona
		  snapshot: a
		  resources: {cpu: 2}
		  image: b
		EOF
	faults "6:[0-9]*: executor.resources: Cannot specify resources for Daytona.s default snapshot" \
		<<-\EOF &&
		  type: daytona
		  resources: {cpu: 2}
		EOF
	faults "6:[0-9]*: executor.api_url: " <<-\EOF &&
		  type: daytona
		  api_url: ftp://x
		EOF
	faults "6:[0-9]*: executor.read_only: ./usr. is on this machine" <<-\EOF &&
		  type: daytona
		  read_only: [/usr]
		EOF
	faults "6:[0-9]*: executor.image: image .a. means nothing in: sandbox, only in: docker" \
		<<-\EOF &&
		  type: jupyter
		  image: a
		EOF
	faults "6:[0-9]*: executor.output_dir: .../x. leaves the tree" <<-\EOF
		  type: jupyter
		  output_dir: ../x
		EOF
'

test_done
