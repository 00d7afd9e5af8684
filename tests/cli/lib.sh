# What each script of tests/cli sources first: sharness, a home of its own, small red repositories.
# shellcheck shell=sh disable=SC2034,SC2154
: "${RONDO:?run these by make check}"
test_description=${test_description:-$(basename "$0" .t)}
SHARNESS_TEST_SRCDIR=$(cd "$(dirname "$0")" && pwd)
SOURCE=$(cd "$SHARNESS_TEST_SRCDIR/../.." && pwd)
# Outside of rondo's own checkout, whose .gitignore would reach into the repositories made here.
SHARNESS_TEST_DIRECTORY=${TMPDIR:-/tmp}/rondo-tests-$(id -u)-$(basename "$RONDO_BUILD")
SHARNESS_TEST_DIRECTORY=$SHARNESS_TEST_DIRECTORY-$(echo "$RONDO_BUILD" | cksum | cut -d" " -f1)
SHARNESS_BUILD_DIRECTORY=$RONDO_BUILD
REAL_HOME=$HOME REAL_CACHE=${XDG_CACHE_HOME:-$HOME/.cache}
mkdir -p "$SHARNESS_TEST_DIRECTORY"
. /usr/share/sharness/sharness.sh

# A row that failed shows what it printed: the row alone does not say what was different.
said=$SHARNESS_TEST_DIRECTORY/$(basename "$0").said
: >"$said"
[ "$verbose" ] || exec 3>>"$said" 4>&3
test_failure_() {
	test_failure=$((test_failure + 1))
	say_color error "not ok $test_count - $1"
	awk '/^expecting success: / { said = "" } { said = said "#\t" $0 "\n" }
		END { printf "%s", said }' "$said" | tail -n 50
}

export XDG_STATE_HOME="$HOME/state" XDG_CACHE_HOME="$HOME/cache" GIT_CONFIG_NOSYSTEM=1 \
	LC_ALL=C.UTF-8 RONDO_PAGER=cat
unset XDG_CONFIG_HOME GIT_DIR GIT_WORK_TREE VIRTUAL_ENV RONDO_MCP_SOCKET
cat >"$HOME/.gitconfig" <<-\EOF
	[user]
		name = A Person
		email = person@example.org
	[init]
		defaultBranch = main
	[advice]
		detachedHead = false
	[protocol "file"]
		allow = always
	[maintenance]
		auto = false
EOF

# doctor_says PATTERN: whether rondo doctor prints that. tests/run asks it once for all scripts.
doctor_says() {
	echo "${RONDO_TEST_DOCTOR:=$("$RONDO" doctor)}" | grep -q "$1"
}

if doctor_says 'sandbox.*user namespaces'; then
	test_set_prereq SANDBOX
	EXECUTOR=sandbox
else
	EXECUTOR=local
fi
EXECUTOR=${RONDO_TEST_EXECUTOR:-$EXECUTOR}
[ "$(id -u)" = 0 ] && test_set_prereq ROOT
[ "$TEST_LONG" ] && test_set_prereq LONG # what takes seconds of the processor
for program in node esbuild go cargo lua php; do
	# As a person's shell finds it: some are below the home that sharness replaces.
	HOME=$REAL_HOME command -v $program >/dev/null &&
		test_set_prereq "$(echo $program | tr a-z A-Z)"
done

# check [PREREQ] TITLE BODY: test_expect_success in a subshell: a cd in the body ends with it.
check() {
	if [ $# = 3 ]; then
		test_expect_success "$1" "$2" "($3)"
	else
		test_expect_success "$1" "($2)"
	fi
}

# await COMMAND: waits until it succeeds; after a minute it prints the command and fails.
await() {
	tries=0
	until eval "$1"; do
		tries=$((tries + 1))
		if [ $tries = 1200 ]; then
			echo "in vain: $1"
			awaited_in_vain
			return 1
		fi
		sleep 0.05
	done
}

# What a script prints then, too.
awaited_in_vain() {
	:
}

fix() {
	"$RONDO" fix --executor "$EXECUTOR" "$@"
}

# cut_at PATTERN SIGNAL COMMAND...: the signal comes as soon as it prints a line with that. Until
# then what it prints further waits in a pipe of a page: it cannot have come to its end. Prints its
# exit code.
cut_at() {
	python3 - "$@" <<-\EOF
	import re, signal, subprocess, sys
	pattern, name, *command = sys.argv[1:]
	child = subprocess.Popen(command, bufsize=0, stdout=subprocess.PIPE, pipesize=4096)
	while (line := child.stdout.readline()) and not re.search(pattern.encode(), line):
	    pass
	child.send_signal(getattr(signal, "SIG" + name))
	child.stdout.read()
	code = child.wait()
	print(128 - code if code < 0 else code)
	sys.exit(0 if line else f"no line with {pattern}")
	EOF
}

# interrupted SIGNAL [OPTION...]: rondo fix in this repository, cut as soon as it prints that a turn
# begins.
interrupted() {
	signal=$1 && shift &&
		cut_at "\"type\":\"turn.start\"" "$signal" "$RONDO" fix --executor "$EXECUTOR" --json "$@" \
			2>../err
}

# read_report DIR COMMAND [TIMEOUT_MS [ID...]]: prints what rondo reads from a run of COMMAND, or of
# these tests alone (tests/lib/read_report.c).
read_report() {
	"$RONDO_BUILD/tests/lib/read_report" "$@"
}

# blocks GUIDE LANGUAGE: the text in the guide's fences of this language.
blocks() {
	awk -v fence="\`\`\`$2" '$0 == "```" { on = 0 } on; $0 == fence { on = 1 }' "$SOURCE/doc/$1"
}

commit_all() {
	git add -A && git commit -q -m "${1:-base}"
}

# area_edit: prints the edit that mends the project of tiny, as a model writes it.
area_edit() {
	printf '%s\n' shapes.py '<<<<<<< SEARCH' '    return width + height' ======= \
		'    return width * height' '>>>>>>> REPLACE'
}

# tiny DIR: a repository whose suite (make check, TAP by a Python script) runs in milliseconds; one
# of two tests is red. Without site's modules (-S) Python starts twice as fast.
tiny() {
	mkdir -p "$1/tests" && (
		cd "$1" && git init -q &&
		printf '%s\n' \
			'def area(width, height):' '    return width + height' '' '' 'def double(x):' \
			'    return x * 2' >shapes.py &&
		cat >tests/run.py <<-\EOF &&
		import sys
		sys.path.insert(0, ".")
		from shapes import area, double

		def test(number, name, found, expected):
		    print("ok" if found == expected else "not ok", number, "-", name)
		    if found != expected:
		        print(f"# found {found}, expected {expected}")

		print("1..2")
		test(1, "area", area(3, 5), 15)
		test(2, "double", double(4), 8)
		sys.exit(area(3, 5) != 15 or double(4) != 8)
		EOF
		printf 'check:\n\t@python3 -S tests/run.py\n' >Makefile &&
		commit_all
	)
}

# fences LANGUAGE TEXT...: code blocks of a reply, one per line, as in YAML's double quotes.
fences() {
	newline=
	while [ $# -gt 1 ]; do
		printf '%s```%s\\n%s\\n```' "$newline" "$1" "$2"
		newline='\n' && shift 2
	done
}

# speakers FILE: who speaks in what rondo printed, in order.
speakers() {
	sed -n 's/^---------- \(.*\) ----------$/\1/p' "$1" | tr '\n' ' '
}

# said_by NAME: what an agent says in out.
said_by() {
	awk -v name="---------- $1 ----------" \
		'/^---------- .* ----------$/ { on = $0 == name; next } /^[✓✗]/ { exit } on' out
}

# diary REPLY: a scenario whose writer makes, changes and removes files by three replies, then says
# REPLY, an item of a YAML list.
diary() {
	cat <<-EOF
	name: diary
	task: Keep a diary.
	models:
	  recorded:
	    provider: replay
	    replies:
	      - "One.\n\n$(fences sh "echo one >>diary; mkdir -p sub; echo 1 >sub/a; cat diary")"
	      - "Nothing to run here."
	      - "Two.\n\n$(fences sh "echo two >>diary; rm sub/a; cat diary")"
	      $1
	agents: {writer: {type: coder, model: recorded}, runner: executor}
	team: {participants: [writer, runner], termination: {text_mention: TERMINATE}}
	executor: {type: $EXECUTOR}
	EOF
}

programs=$SOURCE/tests/data/bugfixers

# fixed NAME [OPTION...]: rondo fixes a program that is its own test. The fix is fixed-NAME; the
# file stays.
fixed() {
	rm -rf state && cp "$programs/$1" . && cp "$1" "$1.before" && fix "$@" >out &&
		grep "verified in a fresh checkout" out && cmp "$1" "$1.before" &&
		cp state/rondo/runs/*/files/"$1" fixed-"$1"
}

# fingerprint: a hash of all that must stay in this repository: files, index, HEAD, refs, config,
# hooks, stash, reflogs; without objects, and without what a new branch of rondo's adds.
fingerprint() {
	{
		find . -path ./.git/objects -prune -o -type f -print | grep -v '/refs/heads/rondo/' |
			LC_ALL=C sort | xargs -d '\n' sha256sum
		find . -path ./.git/objects -prune -o -type l -printf '%p -> %l\n' | LC_ALL=C sort
		find . -path ./.git -prune -o -printf '%p %m %T@\n' | LC_ALL=C sort
	} | sha256sum
}

# the_branch: the one branch that rondo made here.
the_branch() {
	git for-each-ref --format='%(refname:short)' refs/heads/rondo
}

# passes_in_clone COMMAND: rondo's branch, checked out in a fresh clone, passes.
passes_in_clone() {
	rm -rf "$HOME/clone" && git clone -q . "$HOME/clone" &&
		git -C "$HOME/clone" checkout -q "origin/$(the_branch)" && (cd "$HOME/clone" && eval "$1")
}
