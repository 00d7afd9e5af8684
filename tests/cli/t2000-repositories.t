#!/bin/sh
test_description='repositories in every state: those that work, and the message for the others'
. "$(dirname "$0")/lib.sh"

# refused CODE MESSAGE HELP: rondo fix ends so in this directory.
refused() {
	test_expect_code "$1" fix 2>"$HOME/err" && grep "$2" "$HOME/err" &&
	grep "^  help  .*$3" "$HOME/err"
}

# fixed: rondo fix works here, and touches nothing.
fixed() {
	fingerprint >"$HOME/before" && fix >"$HOME/out" && fingerprint >"$HOME/after" &&
		test_cmp "$HOME/before" "$HOME/after" && grep "verified in a fresh checkout" "$HOME/out"
}

check 'not a repository' '
	mkdir plain && cd plain && refused 2 "is not in a git repository" "git init"
'

check 'a bare repository' '
	git init -q --bare bare.git && cd bare.git && refused 2 "bare" "git clone"
'

check 'no commit yet' '
	git init -q unborn && cd unborn && refused 2 "no commit" "git commit"
'

check 'an empty commit: no tests to find' '
	git init -q empty && cd empty && git commit -q --allow-empty -m empty &&
	refused 3 "no test command found" "--test"
'

check 'SHA-256' '
	git init -q --object-format=sha256 sha256 && cd sha256 && git commit -q --allow-empty -m x &&
	refused 2 "SHA-256" "git"
'

check ROOT 'a repository of another user' '
	tiny foreign && chown -R 12345:12345 foreign && cd foreign &&
	refused 2 "belongs to" "git config --global --add safe.directory"
'

check 'a shallow clone' '
	tiny origin && (cd origin && git commit -q --allow-empty -m second) &&
	git clone -q --depth 1 "file://$PWD/origin" shallow && cd shallow && fixed
'

check 'a detached HEAD' '
	git clone -q origin detached && cd detached && git checkout -q --detach && fixed &&
	grep "detached at" ../out
'

check 'a split index' '
	git clone -q origin split && cd split && git update-index --split-index && fixed
'

check 'a sparse checkout: absent files are not deleted' '
	git clone -q origin sparse && cd sparse && mkdir -p other && echo x >other/file &&
	commit_all other &&
	git sparse-checkout set --cone tests && test ! -e other/file && fixed &&
	git ls-tree -r --name-only "$(the_branch)" | grep other/file
'

check 'a sparse index' '
	git clone -q origin sparse-index && cd sparse-index && mkdir -p other && echo x >other/file &&
	commit_all other &&
	git sparse-checkout set --cone --sparse-index tests && fixed &&
	git ls-tree -r --name-only "$(the_branch)" | grep other/file
'

check 'a linked worktree' '
	git clone -q origin main-tree && cd main-tree && git worktree add -q ../linked -b side &&
	cd ../linked &&
	fixed && grep "side at" ../out && test -n "$(the_branch)"
'

check 'a submodule is taken as it is checked out, and reported' '
	git clone -q origin super && cd super && git submodule -q add "$HOME/origin" sub &&
	commit_all sub &&
	fixed && grep -i "submodule" ../out
'

check 'LFS files are taken as they are checked out, and reported' '
	tiny lfs && cd lfs && echo "*.bin filter=lfs" >.gitattributes && echo content >data.bin &&
	git config filter.lfs.clean "sed s/content/pointer/" &&
	git config filter.lfs.smudge "sed s/pointer/content/" &&
	commit_all lfs && git show HEAD:data.bin | grep pointer &&
	printf "check:\n\t@grep -q content data.bin && python3 tests/run.py\n" >Makefile &&
	commit_all make &&
	fixed && grep -i "LFS" ../out
'

check 'a partial clone with a blob missing: exit 3, git fetch' '
	git -C origin config uploadpack.allowFilter true &&
	git clone -q --filter=blob:none --sparse "file://$HOME/origin" partial && cd partial &&
	git config remote.origin.url file:///nowhere && refused 3 "missing" "git fetch"
'

check 'a branch named rondo blocks rondo/<id>: reported before anything runs' '
	git clone -q origin blocked && cd blocked && git branch rondo && refused 2 "rondo" "--branch"
'

check 'a branch that exists' '
	cd origin && test_expect_code 2 fix --branch main 2>../err && grep "main" ../err
'

check 'a branch that a crash left empty is refused, never reported as a success' '
	git clone -q origin torn && cd torn && : >.git/refs/heads/fix &&
	test_expect_code 2 fix --branch fix >../out 2>../err && ! test -s ../out &&
	grep "^rondo: there is a branch .fix. that git cannot read: " ../err &&
	grep "help  --branch NAME, or rm .*refs/heads/fix" ../err
'

check 'no identity: rondo commits under its own name' '
	git clone -q origin nobody && cd nobody &&
	HOME=$PWD/none XDG_CONFIG_HOME=$PWD/none fix >/dev/null &&
	test "$(git log -1 --format="%an <%ae>" "$(the_branch)")" = "rondo <rondo@localhost>"
'

check 'the identity is the configured one; hooks do not run; nothing is signed' '
	git clone -q origin hooks && cd hooks && git config commit.gpgsign true &&
	git config gpg.program false &&
	for hook in pre-commit commit-msg post-commit post-checkout reference-transaction; do
		printf "#!/bin/sh\ntouch $HOME/hook-ran\n" >.git/hooks/$hook &&
		chmod +x .git/hooks/$hook || return 1
	done &&
	fixed && test ! -e "$HOME/hook-ran" &&
	test "$(git log -1 --format="%an %G?" "$(the_branch)")" = "A Person N"
'

check 'two runs at once in one repository' '
	git clone -q origin both && cd both && { fix >../out1 & fix >../out2; wait $!; } &&
	test $(git for-each-ref refs/heads/rondo | wc -l) = 2
'

test_done
