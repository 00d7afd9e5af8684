#!/bin/sh
test_description='the real pre-commit runs the hooks as doc/hooks.md configures them'
. "$(dirname "$0")/../cli/lib.sh"
venv=$RONDO_BUILD/pre-commit

install_pre_commit() {
	[ -e "$venv/complete" ] && return
	HOME=$REAL_HOME && export HOME && rm -rf "$venv" && python3 -m venv "$venv" &&
		"$venv/bin/pip" install -q "pre-commit>=3.2,<5" && touch "$venv/complete"
}

if (install_pre_commit) >pip.out 2>&1; then
	test_set_prereq PRE_COMMIT
else
	say "pre-commit cannot be installed here: $(tail -1 pip.out)"
fi
mkdir bin && ln -s "$RONDO" bin/rondo && export PATH="$PWD/bin:$venv/bin:$PATH"
export XDG_CONFIG_HOME="$HOME/config" PRE_COMMIT_HOME="$HOME/kept"
mkdir -p config/rondo && echo "executor: $EXECUTOR" >config/rondo/config.yaml

# Where rondo's source is: a repository with the hooks alone, with the tag of this version.
check PRE_COMMIT 'the configuration of doc/hooks.md is installed' '
	git init -q hooks && cp "$SOURCE/.pre-commit-hooks.yaml" hooks && cd hooks && commit_all &&
	git tag "v$(cat "$SOURCE/VERSION")" && cd .. && tiny app && cd app &&
	sed -i "s/+ height/* height/" shapes.py && blocks hooks.md yaml >.pre-commit-config.yaml &&
	sed -i "s:URL_OF_RONDO:$HOME/hooks:" .pre-commit-config.yaml && commit_all green &&
	pre-commit validate-config && pre-commit install
'

check PRE_COMMIT 'a commit that breaks a test is kept out, also where the files are mended unstaged' '
	cd app && sed -i "s/x \* 2/x * 3/" shapes.py && git add . &&
	sed -i "s/x \* 3/x * 2/" shapes.py && test_must_fail git commit -q -m bad >../out 2>&1 &&
	grep "not verified" ../out && test "$(git log -1 --format=%s)" = green
'

check PRE_COMMIT 'a good one passes, whatever lies unstaged' '
	cd app && git checkout -q HEAD . && echo "# fine" >>shapes.py && git add . &&
	sed -i "s/x \* 2/x * 3/" shapes.py && git commit -q -m good >../out 2>&1 &&
	grep "rondo verify\.*Passed" ../out && grep "x \* 3" shapes.py
'

check PRE_COMMIT 'rondo-fix runs when it is asked for, and leaves a branch' '
	cd app && git add . && blocks hooks.md sh | grep "^pre-commit run" >recipe && test $(wc -l <recipe) = 1 &&
	. ./recipe >../out 2>&1 || { cat ../out; exit 1; } &&
	grep "rondo fix\.*Passed" ../out && git for-each-ref refs/heads/rondo | grep .
'

test_done
