#!/bin/sh
test_description='the house: floors, homes of libraries, banned functions, ARCHITECTURE.md'
. "$(dirname "$0")/lib.sh"

check 'includes and symbols go only downwards, never sideways' '
	"$SOURCE/tests/floors" "$SOURCE" "$RONDO_BUILD"
'

check 'the check of the floors finds a violation' '
	mkdir -p wrong/base wrong/chat wrong/models wrong/worktree &&
	echo "#include \"chat/x.h\"" >wrong/base/x.c &&
	echo "#include <git2.h>" >wrong/chat/y.c &&
	echo "#include \"worktree/w.h\"" >wrong/models/z.c &&
	echo "int f(void) { return atoi(\"1\") + system(\"x\"); }" >wrong/base/w.c &&
	test_expect_code 1 "$SOURCE/tests/floors" wrong >said &&
	printf "%s\n" "base/w.c:1: system(" "base/x.c:1: includes chat/x.h, which is not below base/" \
		"chat/y.c:1: includes <git2.h>, whose home is worktree/" \
		"models/z.c:1: includes worktree/w.h, which is not below models/" >expected &&
	test_cmp expected said
'

check 'a function that is declared by hand and lies above is found' '
	mkdir -p hidden/base hidden/run &&
	echo "int run_it(void); int base_it(void); int base_it(void) { return run_it(); }" \
		>hidden/base/low.c &&
	echo "int run_it(void); int run_it(void) { return 0; }" >hidden/run/high.c &&
	cc -c -o hidden/base/low.o hidden/base/low.c && cc -c -o hidden/run/high.o hidden/run/high.c &&
	test_expect_code 1 "$SOURCE/tests/floors" hidden hidden >said &&
	echo "base/low.o: uses run_it of run/" >expected && test_cmp expected said
'

check 'no failure in the middle of a test is lost' '
	"$SOURCE/tests/chains" "$SOURCE"
'

check 'the check of the chains finds each lost failure' '
	mkdir -p wrong/tests/cli wrong/tests/gate && cat >wrong/tests/cli/t.t <<-\EOF &&
	helper() {
		one && two
		three
	}
	fine() {
		[ -d x ] && return
		one; two && three || return 1
		case $1 in a|b) one && two ;; esac
	}
	check "good" '\''
		one && { two || test $? = 3; } && for x in $(one; two); do three "$x" || return 1; done &&
		until one; do i=$((i + 1)); done && { one & pid=$!; } && (one; two) | three &&
		cat >x <<-END && one >x; [ $? = 1 ]
		one
		END
	'\''
	for name in INT TERM; do
		check "SIG$name" '\''
			one '\''$name'\'' "
				two" && three
			! four
			one && two; three
			for x in 1 2; do
				one
			done && (one && two
				three) && if one; then
				two
				three
			fi && cat <<-END
			one
			END
			two
		'\''
	done
	EOF
	cat >wrong/tests/gate/r.rows <<-\END &&
	=== one
	what: a row

	one && two
	three
	--- base
	one
	! two
	--- after
	one && two
	three && four
	END
	test_expect_code 1 "$SOURCE/tests/chains" wrong >said && cat said &&
	sed "s/: .*//; s:tests/::" said >places &&
	{ printf "cli/t.t:%s\n" 2 20 21 22 24 25 27 29 && echo gate/r.rows:10; } >expected &&
	test_cmp expected places
'

# rows SECTION: the first column of its table's rows: "| `name` |".
rows() {
	sed -n "/^## $1/,/^## /p" "$SOURCE/ARCHITECTURE.md" | sed -n 's/^| `\([^`]*\)`.*/\1/p'
}

check 'the map names every folder, and no other' '
	rows "The map" | grep "/$" | sed "s:/$::" | LC_ALL=C sort >map &&
	(cd "$SOURCE" && git ls-files 2>/dev/null || find . -type f | sed "s:^\./::") | grep / |
		cut -d/ -f1 | LC_ALL=C sort -u >tree &&
	test_cmp tree map
'

# wide DIR: FILE:LINE: LENGTH of each line beyond 100 columns in the texts of DIR. Exempt is what
# others wrote or printed, or must stay one line:
foreign='^\.git/'
foreign=$foreign'\|^tests/unit/data/\(autogen/\|suite/\|yaml/.*json$\)' # other programs printed it
foreign=$foreign'\|^tests/fuzz/\([a-z_]*/\|findings$\)' # a record is a line
foreign=$foreign'\|\.shown$' # what rondo prints in one line
foreign=$foreign'\|^tests/repair/p[a-z]*\(/\|$\)' # what repair is measured by: edits change figures
foreign=$foreign'\|^tests/unit/data/\(repair/\|yaml/spelling\)' # lines as a test needs them
foreign=$foreign'\|^tests/\(gate\|hostile\|slow\)/' # programs, answers of runners
wide() (
	cd "$1" && { git ls-files -z 2>/dev/null | grep -z . ||
		find . -path ./build -prune -o -type f -printf "%P\0"; } | grep -zv "$foreign" |
		xargs -0 grep -IlZ "" | xargs -0 perl -CSD -ne '
		chomp;
		1 while s/^([^\t]*)\t/$1 . " " x (4 - length($1) % 4)/e;
		print "$ARGV:$.: ", length, "\n" if length > 100;
		close ARGV if eof'
)

check 'lines end at 100 columns, a tab counts four' '
	mkdir columns && { printf "\t%096d\n" 0; printf "\t%097d\né%0100d\n" 0 0; } >columns/long &&
	wide columns >said && printf "long:%s\n" "2: 101" "3: 101" | test_cmp - said &&
	wide "$SOURCE" >said && ! sed "s/^/# /" said | grep . >&5
'

check 'doc/faults.md is made of the rows that its test has' '
	rows=$SOURCE/tests/unit/data/models/faults.rows &&
	sed -n "s/^case \([^ ]*\) \(.*\)/| \1 | \2/p" "$rows" | sort >rows &&
	sed -n "s/^\(| [0-9+][^|]* | [^|]*\) |.*/\1/p" "$SOURCE/doc/faults.md" | sort >table &&
	test_cmp rows table &&
	grep -E "^$(wc -l <rows) cases, played ([0-9]+) times: \1 as wanted" "$SOURCE/doc/faults.md"
'

check 'every noun is declared where the map says' '
	awk -F "\\| *" "/^## / { on = /The nouns/ }
		on && \$4 ~ /\`/ { gsub(/[\` ]/, \"\"); print \$2, \$4 }" \
		"$SOURCE/ARCHITECTURE.md" >nouns &&
	test $(wc -l <nouns) -ge 12 &&
	while read -r noun place; do
		grep -q "struct [a-z_]*$noun\b" "$SOURCE/$place" ||
			{ echo "$noun is not in $place"; exit 1; }
	done <nouns
'

check 'the nouns of the design are all on the map' '
	for noun in message message_thread agent model executor termination team task_result context \
		budget suite worktree scenario run; do
		grep -q "^| \`$noun\`" "$SOURCE/ARCHITECTURE.md" || { echo "$noun is missing"; exit 1; }
	done
'

check 'there are no more than 26 nouns' '
	test $(wc -l <nouns) -le 26
'

# Each function is called in a file before its own, or its own file makes it a method of a type.
check 'rondo fix calls the listed functions in this order' '
	sed -n "s/^[0-9]*\. \`\([^\`]*\)\`: \`\([^\`]*\)\`.*/\1 \2/p" "$SOURCE/ARCHITECTURE.md" >way &&
	test $(wc -l <way) -ge 12 && test $(wc -l <way) -le 16 && before="cli/fix.c" &&
	while read -r file function; do
		(cd "$SOURCE" && grep -q "^[a-z].*\b$function(" $file &&
			{ grep -q "\b$function(" $before || grep -q "= $function," $file; }) ||
			{ echo "$function of $file is not on the way"; exit 1; }
		before="$before $file"
	done <way
'

check 'ARCHITECTURE.md and CONTRIBUTING.md stay short' '
	test $(wc -l <"$SOURCE/ARCHITECTURE.md") -le 200 &&
	test $(wc -l <"$SOURCE/CONTRIBUTING.md") -le 120
'

check 'the public header stands alone, in C99 and in C++' '
	cp "$SOURCE/include/rondo.h" . && echo "#include \"rondo.h\"" >alone.c && cp alone.c alone.cc &&
	strict="-Wall -Wextra -pedantic -Werror" && gcc -std=c99 $strict -c alone.c &&
	if command -v g++ >/dev/null; then g++ -std=c++11 $strict -c alone.cc; fi
'

check 'NEWS.md begins with this version' '
	head -5 "$SOURCE/NEWS.md" | grep "^## $(cat "$SOURCE/VERSION")"
'

check 'every option of every command is in the man page' '
	for command in $("$RONDO" --help | sed -n "/^commands/,/^\$/s/^  \([a-z]*\) .*/\1/p"); do
		"$RONDO" $command --help | sed -n "s/^ *\(-., \)*--\([a-z-]*\).*/\2/p" |
			while read -r option; do
				grep -q -- "--$option\b" "$SOURCE/doc/rondo.1.scd" ||
					{ echo "--$option is missing"; exit 1; }
			done || exit 1
	done
'

test_done
