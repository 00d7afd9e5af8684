#!/bin/sh
test_description='doc/recipes: every command of each page does what the page says'
. "$(dirname "$0")/lib.sh"

pages=$SOURCE/doc/recipes
mkdir bin && ln -s "$RONDO" bin/rondo && PATH=$HOME/bin:$PATH
# Sources change within their second here, and python takes compiled code for that of such a one.
export PYTHONDONTWRITEBYTECODE=1
area='s/width + height/width * height/'

# page NAME: reads it; its files go where they belong, below the repository in this directory.
page() {
	rm -rf "$HOME/page" && "$SOURCE/tests/lib/recipe" "$pages/$1.md" "$HOME/page" >/dev/null &&
		mkdir -p "$HOME/page/files/~" && cp -R "$HOME/page/files/~/." "$HOME" &&
		rm -r "$HOME/page/files/~" && cp -R "$HOME/page/files/." .
}

# follow: all commands of the page that was read, one after the other; what they print is in out.
follow() {
	sh "$HOME/page/commands" >"$HOME/out" 2>&1 || { cat "$HOME/out"; return 1; }
	cat "$HOME/out" && ! grep "not found$" "$HOME/out"
}

check 'each page is one screen, and is followed below' '
	for file in "$pages"/*.md; do
		name=$(basename "$file" .md) &&
		test $(wc -l <"$file") -le 42 &&
		grep "page $name &&" "$SHARNESS_TEST_SRCDIR/t6100-recipes.t" ||
			{ echo "$name"; exit 1; }
	done
'

check 'the index names each page, and no link of a page leads nowhere' '
	cd "$SOURCE/doc" && for page in [a-z]*.md [a-z]*.yml recipes/*.md examples; do
		grep "($page)" README.md || { echo "doc/README.md does not name $page"; exit 1; }
	done && cd .. && grep "(doc/README.md)" README.md &&
	for page in README.md doc/*.md doc/*/*.md; do
		grep -o "](\([^):#]*\)[)#]" "$page" | sed "s/](//; s/[)#]$//" | while read -r to; do
			test -e "$(dirname "$page")/$to" || { echo "$page leads to $to"; exit 1; }
		done || exit 1
	done
'

check 'what a page has to be done is read; what nobody could do is refused' '
	recipe() { rm -rf read && "$SOURCE/tests/lib/recipe" "$1" read; } &&
	printf "%s\n" "# A" "" "As \`a/b.sh\`:" "" "\`\`\`sh" "echo b" "" "echo c" "\`\`\`" "" \
		"    sh a/b.sh   # prints" "    echo \\" "      two" "" "    ✓ well" >one.md &&
	test "$(recipe one.md)" = 2 &&
	test "$(cd read/files && sh ../commands)" = "\$ sh a/b.sh   # prints
b
c
\$ echo   two
two" && echo "✓ well" | test_cmp - read/shown && sed "s/.a.b.sh.:/it:/" one.md >two.md &&
	test_expect_code 1 recipe two.md 2>err &&
	grep "^two.md: of which file is the fence after: As it:$" err &&
	sed "10s/.*/Do: /" one.md >three.md && test_expect_code 1 recipe three.md 2>err &&
	grep "^three.md: an empty line is missing before: " err &&
	sed 9d one.md >four.md && test_expect_code 1 recipe four.md 2>err &&
	grep "^four.md: a fence is open" err && printf "    false\n    touch done\n" >five.md &&
	recipe five.md && test_expect_code 1 sh read/commands && test ! -e done
'

check SANDBOX 'red-ci-job: the job stays red, and patch and text are kept' '
	export RUNNER_TEMP=$HOME/runner GITHUB_STEP_SUMMARY=$HOME/summary && mkdir runner &&
	tiny ci && cd ci && page red-ci-job &&
	test_expect_code 1 python3 "$SHARNESS_TEST_SRCDIR/t6100/workflow.py" \
		.github/workflows/test.yml >../steps &&
	grep "^Look for a fix: success$" ../steps && grep "^Keep it: success$" ../steps &&
	grep "^## How it was verified$" ../summary && test -s ../runner/fix/junit-after.xml &&
	cp -R ../runner/fix fix && follow && make -s check && git log -1 --format=%B >../message &&
	head -1 ../runner/fix/fix.md >../subject && head -1 ../message | test_cmp ../subject -
'

check SANDBOX 'red-ci-job: without a fix the step says so and fails; a green job looks for none' '
	export RUNNER_TEMP=$HOME/runner2 GITHUB_STEP_SUMMARY=$HOME/summary2 && mkdir runner2 &&
	tiny hopeless && cd hopeless && sed -i "s/found == expected/0/" tests/run.py &&
	sed -i "s/^sys.exit.*/sys.exit(1)/" tests/run.py && commit_all hopeless && page red-ci-job &&
	sed -i "s/time=15m/turns=2 --limit candidates=5/" .github/workflows/test.yml &&
	test_expect_code 1 python3 "$SHARNESS_TEST_SRCDIR/t6100/workflow.py" \
		.github/workflows/test.yml >../steps && cd .. &&
	grep "^Look for a fix: failure$" steps && grep "^Keep it: success$" steps &&
	grep "^✗ not fixed" steps && test ! -e runner2/fix/fix.diff && test ! -e summary2 &&
	tiny well && cd well && sed -i "$area" shapes.py && commit_all well && page red-ci-job &&
	python3 "$SHARNESS_TEST_SRCDIR/t6100/workflow.py" .github/workflows/test.yml >../steps &&
	grep "^Look for a fix: skipped$" ../steps
'

check SANDBOX 'before-a-commit: what breaks a test is not committed; the rest is' '
	tiny hook && cd hook && sed -i "$area" shapes.py && echo one >notes.txt && commit_all green &&
	page before-a-commit && chmod +x .git/hooks/pre-commit && sed -i "s/x \* 2/x * 3/" shapes.py &&
	test_expect_code 1 git commit -qam wrong 2>../err &&
	sed "s/ *[0-9.]* s in all$//" ../page/shown >../shown &&
	sed "s/ *[0-9.]* s in all$//" ../err | test_cmp ../shown - &&
	sed -i "s/15/16/" tests/run.py && test_expect_code 1 git commit -qam "wrong, with its test" &&
	git checkout -q . && test "$(git log -1 --format=%s)" = green &&
	git commit -q --allow-empty -m empty && git commit -q --amend --allow-empty -m "still empty" &&
	chmod -x .git/hooks/pre-commit && echo two >>notes.txt && sed -i "s/\* h/+ h/" shapes.py &&
	follow && git log --format=%s >../subjects &&
	printf "%s\n" "the area is a product" "half of it" "a comment" "still empty" green base |
		test_cmp - ../subjects && make -s check &&
	test "$(git config core.hooksPath)" = hooks && sed -i "s/x \* 2/x * 3/" shapes.py &&
	test_expect_code 1 git commit -qam wrong && test "$(git log -1 --format=%s)" = \
		"the area is a product"
'

# What the model says, by what it is asked for.
area_edit >reply
echo say-file reply >scenes

check SANDBOX 'local-model: a server of this machine is asked, when repair is over, and no other' '
	port=$("$SOURCE/tests/lib/server" -d scenes log 3>&- 4>&- 5>&-) &&
	cleanup "kill $(cat log.pid)" && mkdir -p src && tiny src/shapes && mkdir page-files &&
	cd page-files && page local-model && cd .. &&
	sed -i "s/:8081/:$port/" .config/rondo/config.yaml && follow &&
	grep "coder *repair, then mine" out && grep "^llamacpp .* not needed" out &&
	test $(grep -c "verified in a fresh checkout" out) = 4 &&
	test $(grep -c "\"path\": \"/v1/chat/completions\"" log) -ge 3 &&
	! grep "\"authorization\"" log && rm .config/rondo/config.yaml
'

check SANDBOX 'verify-a-patch: a pull request, a patch, a mail, and several of them' '
	tiny upstream && git clone -q upstream other && cd upstream && git checkout -q -b feature &&
	sed -i "$area" shapes.py && git commit -qam "area: multiply" &&
	git update-ref refs/pull/12/head feature && cd ../other && git fetch -q &&
	git branch -q feature origin/feature && git format-patch -q main..feature &&
	mv 0001-*.patch 0001-area.patch && git diff main feature >area.diff &&
	page verify-a-patch && before=$(git status --porcelain) && follow &&
	test $(grep -c "^✓ verified: 1 test fixed, nothing lost" ../out) = 9 &&
	grep "^## How it was verified$" verdict.md && rm verdict.md &&
	test "$(git status --porcelain)" = "$before" && test -z "$(the_branch)"
'

check SANDBOX 'fleet: each has its result, the branches are pushed, parts make one whole' '
	mkdir -p src/fleet && tiny src/fleet/shapes && tiny src/fleet/rings && tiny src/fleet/green &&
	(cd src/fleet/green && sed -i "$area" shapes.py && commit_all green) &&
	git clone -q --bare src/fleet/shapes hub &&
	git -C src/fleet/shapes remote add origin "$HOME/hub" && cd src && page fleet && follow &&
	cd .. && grep "^✓ 3 verified, 0 not fixed, 0 errors of 3" out && grep "^  rondo/20" out &&
	git -C hub for-each-ref | grep refs/heads/rondo/ &&
	test -n "$(git -C src/fleet/rings branch --list "rondo/*")" &&
	grep "^{\"type\":\"batch\",\"dir\":\"night.batch\",\"tasks\":3,\"verified\":3" out &&
	test $(grep -c "^✓ 2 verified, 0 not fixed, 0 errors of 2" out) = 2 &&
	test $(grep -c "" src/parts/results.jsonl) = 2
'

test_done
