#!/bin/sh
test_description='the checkout of the user stays identical: dirty, interrupted, killed'
. "$(dirname "$0")/lib.sh"

# dirty DIR: staged, unstaged, untracked and ignored files, a stash, and a bug in no commit.
dirty() {
	tiny "$1" && (
		cd "$1" && echo build >.gitignore && sed -i 's/width + height/width * height/' shapes.py &&
		printf '#!/bin/sh\n' >tool && commit_all well && echo stashed >>tool && git stash -q &&
		echo staged >staged && git add staged && echo more >>staged &&
		sed -i 's/width \* height/width + height/' shapes.py && chmod +x tool &&
		echo new >untracked && mkdir build && echo artefact >build/out && ln -s untracked link &&
		git rm -q --cached Makefile
	)
}

check '"I edited, it went red, I have not committed"' '
	dirty work && cd work && fingerprint >../before && fix >../out && fingerprint >../after &&
	test_cmp ../before ../after && grep "taken as a snapshot" ../out &&
	grep "2 commits on main" ../out
'

check 'three commits: HEAD, the snapshot, the fix' '
	cd work && branch=$(the_branch) &&
	git log --format=%s -3 "$branch" >../subjects &&
	sed -n 2p ../subjects | grep "^snapshot of uncommitted work$" &&
	test "$(git rev-parse "$branch~2")" = "$(git rev-parse HEAD)" &&
	git ls-tree -r --name-only "$branch" >../names && grep untracked ../names &&
	grep "^staged$" ../names &&
	grep "^link$" ../names && ! grep build ../names &&
	git ls-tree "$branch" tool | grep 100755 &&
	git diff --name-only "$branch~1" "$branch" >../fix &&
	echo shapes.py >../expected && test_cmp ../expected ../fix
'

check '--head leaves the changes out' '
	cd work && fix --head >../out && grep "nothing to fix" ../out
'

# Row 54 of doc/hostile.md: their commands would run on this machine.
check 'filters, drivers and monitors of the tree and the configuration do not run' '
	tiny driven && cd driven &&
	printf "*.py diff=canary merge=canary\n*.md filter=canary\n" >.gitattributes && echo x >a.md &&
	commit_all more &&
	for key in filter.canary.clean filter.canary.smudge filter.canary.process diff.canary.command \
		diff.canary.textconv merge.canary.driver core.fsmonitor; do
		git config $key "touch $HOME/ran" || exit 1
	done && git config filter.canary.required true && rm -f ../ran && fix >../out &&
	grep "2 of 2 passed" ../out && test ! -e ../ran
'

# Signals while the suite runs.
for name in INT.130 TERM.143 HUP.129; do
	signal=${name%.*} code=${name#*.}
	check "SIG$signal stops it in order" '
		dirty '$signal' && cd '$signal' &&
		printf "check:\n\t@touch ready; sleep 300\n" >Makefile && git add -N Makefile &&
		fingerprint >../before &&
		{ env --default-signal='$signal' "$RONDO" fix --executor "$EXECUTOR" >../out 2>../err &
			pid=$!; } &&
		await "find ../cache/rondo/work -name ready | grep -q ." &&
		kill -s '$signal' $pid && { wait $pid; code=$?; } &&
		test $code = '$code' && grep "stopped by SIG'$signal'" ../err &&
		fingerprint >../after && test_cmp ../before ../after && test -z "$(ls ../cache/rondo/work)"
	'
done

check 'kill -9 at any point: nothing changes, nothing stays after the next start' '
	dirty killed && cd killed && fingerprint >../before &&
	for after in 0.02 0.05 0.1 0.2 0.4; do
		timeout --foreground -s KILL $after "$RONDO" fix --executor "$EXECUTOR" >/dev/null 2>&1 || :
		fingerprint >../after && test_cmp ../before ../after || return 1
	done &&
	"$RONDO" gc && test -z "$(ls ../cache/rondo/work)" && git fsck --no-dangling >../fsck 2>&1 &&
	! grep -i "error\|missing\|corrupt" ../fsck
'

check 'a closed pipe does not stop the work' '
	tiny pipe && cd pipe && fix | head -1 >/dev/null && test -n "$(the_branch)"
'

test_done
