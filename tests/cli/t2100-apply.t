#!/bin/sh
test_description='--apply changes all files of the user or none, and a refusal says how to continue'
. "$(dirname "$0")/lib.sh"

# wide DIR: like tiny, with the same bug in a second file.
wide() {
	tiny "$1" && (
		cd "$1" &&
		printf '%s\n' \
			'from shapes import area' '' '' 'def volume(base, height):' \
			'    return base + height' >solids.py &&
		sed -i 's/^from shapes.*/&\nfrom solids import volume/; s/1\.\.2/1..3/
			s/or double.*/or double(4) != 8 or volume(3, 5) != 15)/
			/^test(2/a test(3, "volume", volume(3, 5), 15)' tests/run.py && commit_all wide
	)
}

check 'all files that changed meanwhile are named, with the ways to continue' '
	wide raced && cd raced && echo "# mine" >>shapes.py && rm solids.py &&
	test_expect_code 2 fix --head --apply >../out 2>../err &&
	grep "your files were left as they are: .shapes.py. has changed since the run began; \
.solids.py. is not there any more" ../err &&
	grep "help  the fix is verified: git merge $(the_branch), or git apply --3way .*/patch.diff" \
		../err &&
	tail -1 shapes.py | grep "# mine" && ! test -e solids.py && test -n "$(the_branch)"
'

check 'rondo resume applies it once they are as they were' '
	cd raced && git checkout -q . && test_expect_code 0 "$RONDO" resume >../out &&
	grep "applied  to" ../out && git diff --quiet "$(the_branch)" -- &&
	grep "\"outcome\":	\"verified\"" ../state/rondo/runs/*/report.json
'

check LONG 'a file that has the fix already counts as applied' '
	rm -rf state && wide half && cd half && echo "# mine" >>shapes.py &&
	test_expect_code 2 fix --head --apply >../out 2>../err &&
	git checkout -q "$(the_branch)" -- shapes.py && git reset -q &&
	test_expect_code 0 "$RONDO" resume >../out &&
	git diff --quiet "$(the_branch)" -- && rm -rf ../state
'

check LONG 'a fix that was applied by hand counts as applied' '
	wide hand && cd hand && echo "# mine" >>shapes.py &&
	test_expect_code 2 fix --head --apply >../out 2>../err &&
	git checkout -q . && git apply ../state/rondo/runs/*/patch.diff &&
	test_expect_code 0 "$RONDO" resume >../out &&
	grep "applied  to" ../out && git diff --quiet "$(the_branch)" -- && rm -rf ../state
'

check 'a directory in place of a file is refused' '
	tiny directory && cd directory && rm shapes.py && mkdir shapes.py &&
	echo mine >shapes.py/mine &&
	test_expect_code 2 fix --head --apply >../out 2>../err &&
	grep "shapes.py. is a directory now" ../err &&
	test "$(cat shapes.py/mine)" = mine
'

check 'a read-only file stays read-only; line ends stay as in the checkout' '
	tiny modes && cd modes && git config core.autocrlf true && sed -i "s/\$/\r/" shapes.py &&
	chmod 444 shapes.py &&
	{ git update-index --refresh -q || :; } && git diff --quiet && fix --apply >../out &&
	test "$(stat -c %a shapes.py)" = 444 &&
	test $(grep -c "$(printf "\r")\$" shapes.py) = $(wc -l <shapes.py) &&
	git diff --quiet "$(the_branch)" -- shapes.py
'

check ROOT 'a full disk: exit code 75, the file is whole, no other file is left; then resume' '
	mkdir small && tiny seed && cd seed &&
	yes "# a comment that git packs well" | head -5000 >>shapes.py && commit_all large && cd .. &&
	unshare -m sh -c "mount -t tmpfs -o size=600k tmpfs small && cp -a seed/. small && cd small &&
		head -c 10M /dev/zero >filler 2>/dev/null; truncate -s -90K filler
		before=\$(sha256sum shapes.py)
		\"$RONDO\" fix --head --executor $EXECUTOR --apply >../out 2>../err; echo \$? >../code
		test \"\$before\" = \"\$(sha256sum shapes.py)\" &&
		test -z \"\$(find . -name .rondo-\\*)\" && rm filler && \"$RONDO\" resume >../out &&
		git diff --quiet \$(git branch --list \"rondo/*\") -- shapes.py" &&
	test "$(cat code)" = 75 && grep "cannot change .shapes.py.: No space left on device" err
'

test_done
