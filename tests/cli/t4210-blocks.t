#!/bin/sh
test_description='code blocks: what runs, is kept, is refused; semantics 8.4, 8.6 and 8.9'
. "$(dirname "$0")/lib.sh"

# Executors differ in which Python and node programs see, and in directories of this machine.
case $EXECUTOR in local | sandbox) test_set_prereq CHECKOUTS_PYTHON ;; esac
[ "$EXECUTOR" != daytona ] && test_set_prereq READ_ONLY
[ "$EXECUTOR" != docker ] && test_have_prereq NODE && test_set_prereq ANY_NODE

# scenario OPTIONS REPLY...: a coder who says these replies, written as in YAML's double quotes, and
# an executor with these options of a YAML map. $MORE: options of the machine's executor.
scenario() {
	options=$1 && shift &&
	printf 'task: Go on.\nmodels:\n  said:\n    provider: replay\n    replies:\n' &&
	printf '      - "%s"\n' "$@" TERMINATE && cat <<-EOF
	agents:
	  coder: {type: coder, model: said, edit_format: none}
	  executor: {type: executor$options}
	team: {participants: [coder, executor], termination: text_mention/TERMINATE}
	executor: {type: $EXECUTOR$MORE}
	EOF
}

# chat OPTIONS REPLY...: runs this scenario. The chat is in out, the executor's part of it in said,
# files are in kept.
chat() {
	scenario "$@" >chat.yaml && rm -rf kept && "$RONDO" run chat.yaml --out kept >out &&
	said_by executor >said
}

# tiny_wheel: wheels/ with one package, tiny, whose value is 42.
tiny_wheel() {
	mkdir -p wheels && (cd wheels && python3 - <<-EOF
	import zipfile
	info = "tiny-1.0.dist-info/"
	with zipfile.ZipFile("tiny-1.0-py3-none-any.whl", "w") as wheel:
	    wheel.writestr("tiny.py", "value = 42\n")
	    wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n")
	    wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\nGenerator: test\n"
	                   "Root-Is-Purelib: true\nTag: py3-none-any\n")
	    wheel.writestr(info + "RECORD", "")
	EOF
	)
}

check '69, 71: a block of each runs' '
	chat "" "$(fences python "print(\\\"hello world!\\\")")" "$(fences bash "echo hello world!")" &&
	grep -c "^Code output: hello world!$" said | grep -x 2
'

check '81, 87: the executor that a run records makes the same one again' '
	rm -rf "$HOME/state" &&
	MORE=", work_dir: a/b, timeout: 7s, allow: [sh], policies: {css: ignore}, env: {COLOUR: red}" &&
	chat "" "$(fences sh "pwd; echo \$COLOUR")" && cp said first &&
	cp "$HOME"/state/rondo/runs/*/scenario.json again.json &&
	"$RONDO" run again.json >out && said_by executor >said &&
	grep "/a/b$" said && grep -x red said && { test "$EXECUTOR" = local || test_cmp first said; } &&
	rm -rf "$HOME/state" && "$RONDO" run again.json >out &&
	cmp again.json "$HOME"/state/rondo/runs/*/scenario.json
'

# Five seconds: the block prints its line in time on a busy machine, too.
check '73: a block that takes too long is killed, and the reply says so' '
	MORE=", timeout: 5s" && chat "" "$(fences sh "echo begun; sleep 100")" &&
	grep "^exitcode: 124 (execution failed)$" said && grep "^Code output: begun$" said &&
	grep -x Timeout said
'

check '77: a file outside of the workspace is refused; earlier output stays' '
	chat "" "$(fences sh "echo before" python "# filename: /tmp/test.py\nprint(1)")" &&
	grep "^Code output: before$" said && grep "/tmp/test.py" said && grep "^exitcode: 1" said
'

check '83, 91, 175, 176: files that blocks name or make are kept and listed, no others' '
	chat "" "$(fences python "# filename: a/b.py\nopen(\\\"made\\\", \\\"w\\\")" sh "false")" &&
	grep -x "Files written: a/b.py, made" said &&
	(cd kept && find . -type f | LC_ALL=C sort) >files &&
	printf "./a/b.py\n./made\n" | test_cmp - files
'

check '137, 143: a policy says which languages are only saved or ignored' '
	MORE=", policies: {python: save, css: ignore}" &&
	chat "" "$(fences python "# filename: a.py\nprint(1)" css "/* filename: a.css */" \
		html "<!-- filename: a.html -->")" &&
	grep -x "exitcode: 0 (execution succeeded)" said && grep -x "Files written: a.html, a.py" said
'

check '141: the first comment, in any style, names a file; 177: not without its word' '
	chat "" "$(fences python "# filename: test.py\nprint(1)" css "/* filename: test.css */" \
		html "<!-- filename: test.html -->")" \
		"$(fences python "# test.py\nprint(2)" css "/* test.css */" html "<!-- test.html -->")" &&
	grep -x "Files written: test.css, test.html, test.py" said && grep -x "Code output: 1" said &&
	grep -x "Code output: 2" said &&
	test "$(grep -c Files said)" = 1 && test "$(grep -c "exitcode: 0" said)" = 2 &&
	tail -n 1 kept/test.py | grep "print(1)"
'

check ANY_NODE '141: the same in JavaScript' '
	chat "" "$(fences js "// filename: d/test.js\nconsole.log(1)" \
		js "// test.js\nconsole.log(2)")" &&
	grep -x "Files written: d/test.js" said && grep -x "Code output: 1" said && grep -x 2 said
'

check '177: a comment is no name' '
	chat "" "$(fences python "# compute the sum\nprint(1 + 1)")" &&
	grep "^Code output: 2$" said && ! grep Files said
'

check '178: a name after a shebang or an empty line' '
	chat "" "$(fences sh "#!/bin/sh\n\n# filename: run.sh\necho x")" \
		"$(fences python "\n\n# filename: late.py\nprint(1)")" &&
	grep -x "Files written: run.sh" said && grep -x "Files written: late.py" said
'

check '178: a name outside of the tree is refused; earlier output stays' '
	chat "" "$(fences sh "echo one; ln -s /tmp out" sh "# filename: ../x\necho never")" &&
	grep -x "Code output: one" said && grep "^.\.\./x. leaves the tree$" said &&
	grep -x "exitcode: 1 (execution failed)" said && ! grep never said
'

# Daytona never returns a link that leaves the tree: there the name is a file of the tree.
check '178: nothing is written through a link that leaves the tree' '
	chat "" "$(fences sh "echo one; ln -s /tmp out" sh "# filename: out/rondo-$$\necho two")" \
		"$(fences sh "ls /tmp")" &&
	grep "^Code output: one" said && ! grep -x "rondo-$$" said && ! test -e "/tmp/rondo-$$" &&
	{ test "$EXECUTOR" = daytona ||
		{ grep "^cannot write .out/rondo-$$.: " said && ! grep -x two said; }; }
'

check '179: languages in any spelling; 117: code without one' '
	chat "" "$(fences Python "print(1)" "python3 title=x" "print(2)" shell "echo 3" \
		"py " "print(4)" "" "print(5)")\n\`\`\`bash\r\necho 6\r\n\`\`\`\r\n" &&
	grep -x "Code output: 1" said && seq 2 6 >want &&
	tr -d "\r" <said | grep -x "[2-6]" | test_cmp want -
'

check '180: a fence within a longer one is text; 181, 147: common indentation is removed' '
	chat "" "\`\`\`\`markdown\n\`\`\`python\nprint(1)\n\`\`\`\n\`\`\`\`" \
		"  \`\`\`python\n  if 1:\n      print(2)\n  \`\`\`" \
		"    Code:\n    \`\`\`python\n    print(\\\"hello extract code\\\")\n    \`\`\`" &&
	grep -c "^exitcode:" said | grep -x 2 && grep -x "Code output: 2" said &&
	grep -x "Code output: hello extract code" said
'

check '182: a block that was cut off does not run, and the reply says so' '
	chat "" "\`\`\`python\nprint(1)\n" &&
	grep "^Code output: This block was cut off: its closing fence is missing. It was not run.$" said
'

check '139: a working directory outside of the workspace is an error' '
	MORE=", work_dir: /invalid/directory" &&
	test_expect_code 2 chat "" "$(fences sh "true")" 2>err &&
	grep "executor.work_dir: ./invalid/directory. is not a path below the tree" err
'

check '145: dangerous commands do no harm in the sandbox' '
	test "$EXECUTOR" = local || {
		chat "" "$(fences sh "rm -rf / 2>/dev/null; mv a /dev/null; dd if=/dev/zero of=/dev/sda; \
echo Hello >/dev/sda; :(){ :|:& };:")" "$(fences sh "echo on")" &&
		grep "^Code output: on$" said && test -d /usr/bin && test -x "$RONDO"
	}
'

check CHECKOUTS_PYTHON '79: the virtual environment of a checkout is used' '
	mkdir -p venv && (cd venv && git init -q . && echo .venv >.gitignore &&
		/usr/bin/python3 -m venv --without-pip .venv && commit_all) &&
	scenario "" "$(fences python "import sys; print(sys.prefix != sys.base_prefix)")" >venv.yaml &&
	echo "workspace: {repo: venv}" >>venv.yaml &&
	"$RONDO" run venv.yaml >out && grep -x "Code output: True" out
'

check 'a block that only shows something does not run' '
	chat "" "$(fences json "{}" "" "expected: 5" python "print(5)")" &&
	grep "^exitcode: 0" said && grep "^Code output: 5$" said
'

check LONG 'pip says what it installed, and the next block finds it (20, wrong 8)' '
	tiny_wheel && scenario "" "$(fences sh "python3 -m pip install --no-index --find-links . tiny" \
		python "import tiny; print(tiny.value)")" >pip.yaml &&
	echo "workspace: {copy: wheels}" >>pip.yaml &&
	"$RONDO" run pip.yaml >out && grep "^Successfully installed tiny" out && grep -x 42 out
'

check LONG,READ_ONLY 'packages are installed once, before anything runs' '
	tiny_wheel &&
	MORE=", read_only: [wheels], pip: [--no-index, --find-links=$PWD/wheels, tiny]" &&
	scenario "" "$(fences python "import tiny; print(tiny.value)")" >packages.yaml &&
	"$RONDO" run packages.yaml --log-file log >out && grep -x "Code output: 42" out &&
	grep "installing packages" log &&
	"$RONDO" run packages.yaml --log-file again >out && grep -x "Code output: 42" out &&
	! grep "installing packages" again
'

check LONG,READ_ONLY 'missing packages and directories are errors before anybody speaks' '
	test_expect_code 3 "$RONDO" run -s "executor.pip=[--no-index, nothing-of-that-name]" \
		packages.yaml 2>err &&
	grep "executor.pip: .python3 -m pip install .* nothing-of-that-name. ended with exit code 1: \
ERROR: " err &&
	grep "executor.network: host, where they come from the network" err &&
	test_expect_code 2 "$RONDO" run -s "executor.read_only=[nowhere]" packages.yaml 2>err &&
	grep "executor.read_only: .*nowhere" err
'

check 'reply: autogen says as AutoGen does: no output, an error, nothing to run' '
	chat ", reply: autogen" "$(fences python "x = 1")" "$(fences sh "echo out; exit 3")" \
		"$(fences sh "echo plain")" "Well." &&
	grep "^The script ran but produced no output to console. The POSIX exit code was: 0. \
If you were" said &&
	grep -x "The script ran, then exited with an error (POSIX exit code: 3)" said &&
	grep -x "Its output was:" said &&
	grep -x plain said && grep "^No code blocks found in the thread." said
'

check '93: functions of the user are imported and described; 97: without their bodies' '
	printf "def double(x: int) -> int:\n    \"\"\"Twice x.\"\"\"\n    return 2 * x\n" >mine.py && {
		cat <<-EOF
		task: Go on.
		models:
		  said:
		    provider: replay
		    replies:
		      - "$(fences python "from functions import double\nprint(double(21))")"
		      - TERMINATE
		agents:
		  coder: {type: coder, model: said, edit_format: none, functions: [mine.py]}
		  executor: {type: executor, functions: [mine.py]}
		team: {participants: [coder, executor], termination: text_mention/TERMINATE}
		executor: {type: $EXECUTOR}
		EOF
	} >functions.yaml && "$RONDO" run functions.yaml >out && grep -x "Code output: 42" out
'

check '95: functions that do not load are an error before anybody speaks' '
	printf "import nothing_here\n" >mine.py &&
	test_expect_code 2 "$RONDO" run functions.yaml 2>err &&
	grep "agent .executor.: functions failed to load: ModuleNotFoundError: No module named \
.nothing_here." err
'

check 'a change outside of the allowed paths is undone' '
	chat ", paths: [\"out/\", \"*.txt\"]" \
		"$(fences sh "mkdir out; echo 1 >out/a; echo 2 >b.txt; echo 3 >c.py")" &&
	grep -x "exitcode: 1 (execution failed)" said && grep -x "Files written: b.txt, out/a" said &&
	grep -x "Put back, since nothing may change there: c.py" said && test -f kept/out/a &&
	! test -e kept/c.py
'

# faults PLACE-AND-TEXT... <SETTINGS: rondo check reports these, and no more, for an executor with
# these settings and an agent in line 2 with $AGENT.
faults() {
	printf "%s\n" \
		"task: x" "agents: {e: {type: executor$AGENT}}" \
		"team: {participants: [e], max_turns: 1}" "executor:" >bad.yaml && cat >>bad.yaml &&
	test_expect_code 2 "$RONDO" check bad.yaml >err && cat err &&
	for fault; do grep "^bad.yaml:$fault" err || return 1; done &&
	test "$(wc -l <err)" = $(($# + 1))
}

check '152: an invalid duration is refused with its place' '
	faults "6:[0-9]*: .*timeout.*-1" "7:[0-9]*: .*start_timeout.*0" <<-\EOF
		  type: daytona
		  timeout: -1
		  start_timeout: 0
		EOF
'

check '143: invalid languages, policies, directories and variables are shown with their place' '
	AGENT=", allow: [Python]" &&
	faults "2:[0-9]*: agent .e.: allow: unknown language .Python., did you mean .python.?" \
		"5:[0-9]*: executor.allow: unknown language .cobol.; what runs it is said in \
executor.languages" \
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

check '95: so are functions that are missing or in no module' '
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

check '153: so are options that exclude each other, and directories of the wrong machine' '
	faults "8:[0-9]*: executor.image: Cannot specify both snapshot .a. and image .b.: a sandbox is \
made of one of them" <<-\EOF &&
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
