#!/bin/sh
test_description='all that a checkout may hold beside plain files'
. "$(dirname "$0")/lib.sh"

# fixed [OPTION...]: rondo fixes what is here, touches nothing, and changes no more than one line.
fixed() {
	fingerprint >"$HOME/before" && fix "$@" >"$HOME/out" && fingerprint >"$HOME/after" &&
		test_cmp "$HOME/before" "$HOME/after" && grep "verified in a fresh checkout" "$HOME/out" &&
		test "$(git diff --numstat "$(git rev-parse "$(the_branch)^")" "$(the_branch)")" = \
			"1	1	shapes.py"
}

# also CHECK: the suite needs that, too.
also() {
	printf 'check:\n\t@%s\n\t@python3 -S tests/run.py\n' "$1" >Makefile
}

check 'a submodule that is not checked out is told' '
	tiny origin && tiny whole && (cd whole && git submodule -q add "$HOME/origin" sub/a &&
		git submodule -q add "$HOME/origin" b && commit_all sub) &&
	git clone -q whole bare-subs && cd bare-subs && fixed &&
	grep "2 submodules are not checked out, such as .b.: git submodule update --init" ../out
'

check LONG 'a submodule within a submodule is seen by the suite' '
	(cd origin && git clone -q . ../inner) && tiny middle &&
	(cd middle && git submodule -q add "$HOME/inner" inner && commit_all inner) &&
	tiny outer && cd outer && git submodule -q add "$HOME/middle" middle &&
	git submodule -q update --init --recursive && also "test -e middle/inner/shapes.py" &&
	commit_all middle && fixed
'

check 'LFS pointers that nobody fetched stay pointers; no filter runs' '
	tiny pointers && cd pointers &&
	echo "*.bin filter=lfs diff=lfs merge=lfs -text" >.gitattributes &&
	printf "version https://git-lfs.github.com/spec/v1\noid sha256:%064d\nsize 5\n" 1 >data.bin &&
	also "grep -q ^oid data.bin" && commit_all lfs &&
	git config filter.lfs.clean "touch $HOME/filter-ran; cat" &&
	git config filter.lfs.smudge "touch $HOME/filter-ran; cat" &&
	git config filter.lfs.process "touch $HOME/filter-ran" && git config filter.lfs.required true &&
	touch data.bin && fixed && test ! -e "$HOME/filter-ran"
'

check 'core.autocrlf: one line changes, and its end stays' '
	tiny autocrlf && git -C autocrlf config core.autocrlf true && cd autocrlf &&
	rm shapes.py && git checkout -q shapes.py && grep -q "$(printf "\r")" shapes.py && fixed &&
	git format-patch -q -1 --stdout "$(the_branch)" >../patch &&
	! grep -q "$(printf "\r")" ../patch &&
	"$RONDO" fix --executor "$EXECUTOR" --apply >../out && grep -q "$(printf "\r")" shapes.py &&
	test "$(git diff --numstat)" = "1	1	shapes.py"
'

check LONG 'carriage returns in the repository, with and without text=auto' '
	tiny carriage && cd carriage && sed -i "s/\$/\r/" shapes.py && git commit -qam crlf && fixed &&
	test "$(git show "$(the_branch):shapes.py" | grep -c "$(printf "\r")")" = 6 &&
	tiny ../auto && cd ../auto && echo "* text=auto eol=crlf" >.gitattributes && commit_all auto &&
	rm shapes.py && git checkout -q shapes.py && fixed
'

# odd_names: files with names that few programs can bear; the suite needs two of them.
odd_names() {
	mkdir "a
b" && echo 1 >"a
b/c
d" && echo 2 >"$(printf 'caf\351')" && echo 3 >'"q" \ %s' && echo 4 >./-n &&
		printf 'check:\n\t@test -e "$$(printf "caf\\351")" -a -e ./-n\n' >Makefile &&
		printf '\t@python3 -S tests/run.py\n' >>Makefile
}

check 'names with newlines, quotes and bytes that are no UTF-8' '
	tiny names && cd names && odd_names && commit_all names &&
	echo more >>"$(printf "caf\\351")" && echo 5 >"$(printf "new\\377")" &&
	git status --porcelain >../before && fix >../out && git status --porcelain >../after &&
	test_cmp ../before ../after && grep "verified in a fresh checkout" ../out &&
	python3 -c "open(\"../out\", encoding=\"utf-8\").read()" &&
	git ls-tree -r --name-only "$(the_branch)" >../listed &&
	grep -c "^\"\(a.nb/c.nd\|caf.351\|new.377\|.\"q.\" .. %s\)\"$" ../listed | grep -x 4
'

check LONG '.gitattributes that matter to exports and merges change nothing' '
	tiny attributes && cd attributes &&
	printf "%s\n" "tests/ export-ignore" "* merge=ours" "shapes.py export-subst -diff" \
		"*.py working-tree-encoding=UTF-8 ident" >.gitattributes && commit_all attributes &&
	fix >../out && grep "verified in a fresh checkout" ../out &&
	git ls-tree -r --name-only "$(the_branch)" | grep tests/run.py
'

check 'a repository within the checkout is told, and the suite may have it mounted' '
	tiny nest && cd nest && git clone -q ../origin lib && also "test -e lib/shapes.py" &&
	git add Makefile && git commit -qm lib &&
	test_expect_code 1 fix --limit candidates=1 >../out 2>&1 &&
	grep "lib. is a repository of its own and is left out: --mount shows it to the tests" ../out &&
	fixed --mount lib
'

check LONG 'a partial clone: files that are there are enough' '
	git -C origin config uploadpack.allowFilter true &&
	git clone -q --filter=blob:none "file://$HOME/origin" all-there && cd all-there &&
	git config remote.origin.url file:///nowhere && fixed
'

check LONG 'a linked worktree with a configuration of its own' '
	git clone -q origin trees && cd trees && git config extensions.worktreeConfig true &&
	git worktree add -q ../apart -b apart && cd ../apart &&
	git config --worktree core.autocrlf true && rm shapes.py && git checkout -q shapes.py &&
	fixed &&
	git config --worktree core.sparseCheckout false
'

test_done
