#!/bin/sh
test_description='what is handed out: the tarball, what packages say, the action, the recipes'
. "$(dirname "$0")/lib.sh"
command -v cmake >/dev/null && test_set_prereq CMAKE
git -C "$SOURCE" rev-parse -q --verify HEAD >/dev/null 2>&1 &&
	test "$(git -C "$SOURCE" rev-parse --show-toplevel)" = "$SOURCE" && test_set_prereq GIT

# Under the name by which people call it.
mkdir bin && ln -s "$RONDO" bin/rondo && export PATH="$PWD/bin:$PATH"

# --- The tarball ---

check GIT 'another clone, clock, umask and configuration give the same tarball, byte by byte' '
	(cd "$SOURCE" && packages/dist "$HOME/one.tar.gz" rondo-1) &&
	git clone -q "$SOURCE" clone 2>/dev/null && cd clone && git config core.autocrlf true &&
	git config tar.umask 077 && echo "*.c export-ignore" >attributes &&
	git config core.attributesFile "$PWD/attributes" && umask 077 &&
	TZ=Asia/Tokyo LC_ALL=C packages/dist ../two.tar.gz rondo-1 && cmp ../one.tar.gz ../two.tar.gz
'

check GIT 'it has what git has, of nobody, at the time of the commit or SOURCE_DATE_EPOCH' '
	git -C "$SOURCE" ls-tree -r --name-only HEAD | sed "s:^:rondo-1/:" | sort >expected &&
	tar -tzf one.tar.gz | grep -v "/$" | sort >found && test_cmp expected found &&
	time=$(git -C "$SOURCE" log -1 --format=%cd --date="format-local:%Y-%m-%d %H:%M:%S") &&
	tar --full-time -tvzf one.tar.gz | cut -d" " -f2 | sort -u >owners && echo 0/0 >expected &&
	test_cmp expected owners && test "$(tar --full-time -tvzf one.tar.gz | grep -c "$time")" = \
		"$(tar -tzf one.tar.gz | wc -l)" &&
	(cd "$SOURCE" && SOURCE_DATE_EPOCH=1 packages/dist "$HOME/old.tar.gz" rondo-1) &&
	TZ=UTC tar --full-time -tvzf old.tar.gz | head -1 | grep "1970-01-01 00:00:01"
'

check GIT 'make knows in it how to make all that is installed, without git' '
	tar -xzf one.tar.gz && mkdir none && printf "#!/bin/sh\nexit 1\n" >none/git &&
	chmod +x none/git && cd rondo-1 && env -u MAKEFLAGS PATH="$HOME/none:$PATH" \
		make -n install >../plan 2>../err && grep "cli/main.c" ../plan &&
	grep "install -D .*/bin/rondo" ../plan && test_must_be_empty ../err
'

# --- What the packages say ---

check 'the Debian package has the version, and the symbols of the header' '
	version=$(cat "$SOURCE/VERSION") &&
	head -1 "$SOURCE/debian/changelog" | grep "^rondo ($version) " &&
	sed -n "s/^[a-z].*[ *]\(rondo_[a-z_]*\)(.*/\1/p" "$SOURCE/include/rondo.h" |
		LC_ALL=C sort >declared &&
	sed -n "s/^ \(rondo_[a-z_]*\)@RONDO_0 .*/\1/p" "$SOURCE/debian/librondo0.symbols" >symbols &&
	test_cmp declared symbols
'

check 'the Debian package is built with all that make deps installs for building' '
	env -u MAKEFLAGS make -C "$SOURCE" -npq 2>/dev/null | sed -n "s/^DEPS_BUILD := //p" |
		tr " " "\n" | sed "s/.*=//" | LC_ALL=C sort >needed && test -s needed &&
	sed -n "s/^ \([a-z0-9.-]*\),\$/\1/p" "$SOURCE/debian/control" | LC_ALL=C sort -u >named &&
	LC_ALL=C comm -23 needed named >lacking && test_must_be_empty lacking
'

check 'nothing that is handed out names a host' '
	cd "$SOURCE" && ! grep -rnE "(deb|ftp|snapshot|security|ports)\.[a-z.]*debian\.org" debian \
		packages action
'

check CMAKE 'what CMake reads takes older versions of the same series alone' '
	sed "s/@VERSION@/0.3.2/" "$SOURCE/include/rondo-config-version.cmake.in" >version.cmake &&
	cat >asked.cmake <<-\EOF &&
	foreach(PACKAGE_FIND_VERSION 0.3 0.3.1 0.3.2 0.3.3 0.2.9 0.4 1.0)
		include(version.cmake)
		message(STATUS "${PACKAGE_FIND_VERSION} ${PACKAGE_VERSION_COMPATIBLE}")
	endforeach()
	EOF
	cmake -P asked.cmake >said && printf -- "-- %s\n" "0.3 TRUE" "0.3.1 TRUE" "0.3.2 TRUE" \
		"0.3.3 FALSE" "0.2.9 FALSE" "0.4 FALSE" "1.0 FALSE" >expected && test_cmp expected said
'

# --- The action ---

# act COMMAND...: the action's script, as a runner calls it; inputs by the environment.
act() {
	: >outputs && : >summary &&
		env GITHUB_OUTPUT="$HOME/outputs" GITHUB_STEP_SUMMARY="$HOME/summary" \
			RUNNER_TEMP="$HOME" INPUT_USER_NAMESPACES=false INPUT_DIRECTORY="$1" \
			"$ACTION" >log 2>err
}
ACTION=$SOURCE/action/run.sh

# output NAME: what the action said.
output() {
	sed -n "s/^$1=//p" "$HOME/outputs"
}

check 'action.yml: each input has its words, its variable and its row in README.md, and so on' '
	cat >action.py <<-\EOF && python3 action.py "$SOURCE/action"
	import re, sys, yaml
	base = sys.argv[1]
	action = yaml.safe_load(open(f"{base}/action.yml"))
	script, readme = open(f"{base}/run.sh").read(), open(f"{base}/README.md").read()
	assert action["runs"]["using"] == "composite"
	(step,) = action["runs"]["steps"]
	rows = re.findall(r"^\| `([a-z-]+)`", readme, re.M)
	assert rows == list(action["inputs"]) + list(action["outputs"]), rows
	for name, is_ in action["inputs"].items():
	    variable = "INPUT_" + name.upper().replace("-", "_")
	    assert isinstance(is_["default"], str) and is_["description"], name
	    assert step["env"].pop(variable) == "${{ inputs.%s }}" % name, name
	    assert "${" + variable in script, name
	assert step["env"] == {"RONDO_ACTION": "${{ github.action_path }}"}
	assert "${{" not in step["run"] and step["shell"]
	for name, is_ in action["outputs"].items():
	    assert is_["value"] == "${{ steps.%s.outputs.%s }}" % (step["id"], name), name
	    assert f"output {name} " in script, name
	example = yaml.safe_load(re.search(r"```yaml\n(.*?)```", readme, re.S)[1])
	for job in example["jobs"]["test"]["steps"]:
	    if "/action@" in job.get("uses", ""):
	        assert set(job["with"]) <= set(action["inputs"])
	        break
	else:
	    assert False, "no example"
	EOF
'

check 'the action leaves a branch, a summary, outputs, and pushes nothing' '
	tiny red && git init -q --bare origin.git && git -C red remote add origin "$HOME/origin.git" &&
	INPUT_TEST="make check" INPUT_LIMITS="time=5m repair=30s" INPUT_OPTIONS="--executor=$EXECUTOR

--protect=docs/a b/*" act red && test "$(output exit-code)" = 0 &&
	test "$(output outcome)" = verified &&
	git -C red show "$(output branch):shapes.py" | grep "width \* height" &&
	grep "width \* height" "$(output patch)" && test -s "$(output report)/junit-after.xml" &&
	grep "^## How it was verified" "$(output pull-request)" && grep "^# red: verified" summary &&
	test -z "$(git -C origin.git for-each-ref)" &&
	grep "docs/a b/\*" "$(output report)/scenario.json"
'

check 'a change that breaks a test: the step fails, and says so' '
	cd red && sed -i "s/x \* 2/x * 3/" shapes.py && commit_all worse && cd .. &&
	INPUT_COMMAND=verify INPUT_OPTIONS="--executor=$EXECUTOR" test_expect_code 1 act red &&
	test "$(output exit-code)" = 1 && test "$(output outcome)" = not_verified &&
	test "$(output branch)" = "" && grep "double" summary &&
	INPUT_COMMAND=verify INPUT_CHANGE=nowhere test_expect_code 2 act red &&
	test "$(output outcome)" = error && grep "ended with 2" summary
'

check 'wrong inputs: named, with exit status 2' '
	INPUT_COMMAND=run test_expect_code 2 act red && grep "must be fix or verify, found .run." err &&
	test "$(output exit-code)" = 2 &&
	INPUT_OPTIONS="seed=7" test_expect_code 2 act red &&
	grep "such as --seed=7, found .seed=7." err &&
	test_expect_code 2 act missing && grep "no directory .missing." err &&
	INPUT_OPTIONS="--seeds=7" test_expect_code 2 act red && grep "unknown option .--seeds." err
'

check 'what a workflow says is no code, and what tests print is no command for the runner' '
	tiny loud && cd loud && sed -i "1i print(\"::error::planted\")" tests/run.py &&
	sed -i "s/found {found}/::set-output name=branch::x {found}/" tests/run.py && commit_all &&
	cd .. && INPUT_GOAL="\$(touch hit)" INPUT_OPTIONS="--executor=$EXECUTOR
--protect=\$(touch hit);\`touch hit\`" act loud && test "$(output outcome)" = nothing_fails &&
	test ! -e hit && test ! -e loud/hit && INPUT_OPTIONS="--executor=$EXECUTOR" act loud &&
	test "$(output outcome)" = verified &&
	token=$(sed -n "1s/^::stop-commands::\([0-9a-f]\{32\}\)\$/\1/p" log) && test "$token" &&
	test "$(tail -1 log)" = "::$token::" && grep "::set-output" log &&
	test "$(grep -c "^::" log)" = 2
'

check 'without an installed rondo it builds one from where it lies' '
	mkdir -p whole && cp -R "$SOURCE/action" whole && cat >whole/Makefile <<-EOF && : >made &&
	deps-demo: ; echo deps >>"$HOME/made"
	all: ; echo "all \$(MODE)" >>"$HOME/made"; install -D "$RONDO" build/\$(MODE)/rondo
	EOF
	tiny built && PATH=/usr/bin:/bin && ! command -v rondo && ACTION=$HOME/whole/action/run.sh &&
	INPUT_OPTIONS="--executor=$EXECUTOR" act built && test "$(output outcome)" = verified &&
	printf "%s\n" deps "all release" | test_cmp - made
'

# --- The recipes ---

check 'git fix, as doc/hooks.md says it' '
	blocks hooks.md sh | grep "git config" >recipe && . ./recipe && tiny alias && cd alias &&
	mkdir sub && cd sub && git fix --executor "$EXECUTOR" -q >../../out && cd .. &&
	git for-each-ref refs/heads/rondo | grep . && git fix --apply --executor "$EXECUTOR" -q &&
	grep "width \* height" shapes.py
'

# Their hooks take the configuration for the executor.
export XDG_CONFIG_HOME="$HOME/config"
mkdir -p config/rondo && echo "executor: $EXECUTOR" >config/rondo/config.yaml

check 'the hook before a commit, as doc/hooks.md says it, keeps out what breaks a test' '
	tiny hooked && cd hooked && sed -i "s/+ height/* height/" shapes.py && commit_all green &&
	blocks hooks.md sh | sed -n "/^#!/,/rondo verify/p" >.git/hooks/pre-commit &&
	chmod +x .git/hooks/pre-commit && sed -i "s/x \* 2/x * 3/" shapes.py && git add shapes.py &&
	! git commit -q -m bad 2>err && test "$(git log --format=%s -1)" = green &&
	git checkout -q HEAD shapes.py && echo "# fine" >>shapes.py && git add shapes.py &&
	sed -i "s/x \* 2/x * 3/" shapes.py && git commit -q -m good 2>err &&
	git commit -q --allow-empty -m empty && test "$(git log --format=%s -1)" = empty &&
	rm -rf ../new && mkdir ../new && cd ../new && git init -q &&
	cp ../hooked/.git/hooks/pre-commit .git/hooks && echo x >x && git add x && git commit -q -m one
'

# hook ID [ARGUMENT...]: what pre-commit would run for it, here.
hook() {
	python3 -c "if True:
		import shlex, subprocess, sys, yaml
		hooks = {h['id']: h for h in yaml.safe_load(open(sys.argv[1]))}
		hook = hooks[sys.argv[2]]
		assert hook['language'] == 'system' and not hook['pass_filenames'], hook
		sys.exit(subprocess.run(shlex.split(hook['entry']) + sys.argv[3:]).returncode)
	" "$SOURCE/.pre-commit-hooks.yaml" "$@"
}

check 'the hooks of pre-commit: staged work is judged with the options, and a fix leaves a branch' '
	cd hooked && git checkout -q HEAD . && echo "# more" >>shapes.py && git add . &&
	hook rondo-verify "--test=make check" && sed -i "s/x \* 2/x * 3/" shapes.py && git add . &&
	test_expect_code 1 hook rondo-verify && test_expect_code 2 hook rondo-verify --tests=x &&
	hook rondo-fix && git for-each-ref refs/heads/rondo | grep .
'

test_done
