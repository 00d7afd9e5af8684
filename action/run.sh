#!/bin/sh
# What the action does on a runner. Reads the inputs from INPUT_*, writes the outputs to
# GITHUB_OUTPUT and the report to GITHUB_STEP_SUMMARY. Posts nothing and pushes nothing: the branch
# stays in the checkout. The exit status is rondo's.
set -eu
: "${GITHUB_OUTPUT:?}" "${GITHUB_STEP_SUMMARY:?}" "${RUNNER_TEMP:?}"
action=$(cd "$(dirname "$0")" && pwd)

output() {
	printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"
}

# wrong TEXT: an input that cannot be.
wrong() {
	printf 'rondo action: %s\n' "$1" >&2
	output exit-code 2
	output outcome error
	exit 2
}

# program: prints which rondo to run: the one that is named or found, or one that it builds.
program() {
	if [ "${INPUT_RONDO:-}" ]; then
		printf '%s\n' "$INPUT_RONDO"
	elif ! command -v rondo; then
		make -C "$action/.." deps-demo >&2 &&
			make -C "$action/.." -j"$(nproc)" MODE=release all >&2 &&
			printf '%s\n' "$action/../build/release/rondo"
	fi
}

# Ubuntu 24.04 lets no ordinary program make user namespaces.
allow_namespaces() {
	restricted=/proc/sys/kernel/apparmor_restrict_unprivileged_userns
	if [ -e $restricted ] && [ "$(cat $restricted)" != 0 ]; then
		sudo -n sysctl -qw kernel.apparmor_restrict_unprivileged_userns=0 ||
			echo 'rondo action: user namespaces stay restricted' >&2
	fi
}

# value TABS NAME: a string that is so deep in report.json, where each has a line of its own.
value() {
	sed -n "s/^$1\"$2\":$tab\"\([^\"\\\\]*\)\",\{0,1\}\$/\1/p" "$report/report.json" | head -n 1
}
tab=$(printf '\t')

# existing FILE: its path, if it is there and has a text.
existing() {
	[ ! -s "$1" ] || printf '%s\n' "$1"
}

case ${INPUT_COMMAND:-fix} in
fix) set -- fix ;;
verify) set -- verify "${INPUT_CHANGE:-HEAD}" ;;
*) wrong "command must be fix or verify, found '$INPUT_COMMAND'" ;;
esac
cd "${INPUT_DIRECTORY:-.}" || wrong "there is no directory '$INPUT_DIRECTORY'"
[ -z "${INPUT_TEST:-}" ] || set -- "$@" "--test=$INPUT_TEST"
[ -z "${INPUT_GOAL:-}" ] || set -- "$@" "--goal=$INPUT_GOAL"
[ -z "${INPUT_SETUP:-}" ] || set -- "$@" "--setup=$INPUT_SETUP"
set -f
for limit in ${INPUT_LIMITS-time=15m}; do
	set -- "$@" "--limit=$limit"
done
set +f
while read -r option; do
	case $option in
	'') ;;
	-*) set -- "$@" "$option" ;;
	*) wrong "options: each line must be an option such as --seed=7, found '$option'" ;;
	esac
done <<END
${INPUT_OPTIONS:-}
END

[ "${INPUT_USER_NAMESPACES:-true}" != true ] || allow_namespaces
rondo=$(program) || wrong 'rondo could not be built'
state=$(mktemp -d "$RUNNER_TEMP/rondo-XXXXXX")
# What tests print is no command for the runner.
token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
echo "::stop-commands::$token"
code=0
"$rondo" "$@" "--state-dir=$state" "--pull-request=$state/pull-request.md" "--junit=$state/junit" ||
	code=$?
echo
echo "::$token::"

output exit-code "$code"
report=$(find "$state/runs" -mindepth 2 -maxdepth 2 -name report.json 2>/dev/null | head -n 1)
if [ -z "$report" ]; then
	output outcome error
	echo "rondo ended with $code before it could report; the log says why." >>"$GITHUB_STEP_SUMMARY"
	exit "$code"
fi
report=$(dirname "$report")
output outcome "$(value "$tab" outcome)"
output branch "$(value "$tab$tab" branch)"
output patch "$(existing "$report/patch.diff")"
output pull-request "$(existing "$state/pull-request.md")"
output report "$report"
# A summary has one MiB.
head -c 1000000 "$report/report.md" >>"$GITHUB_STEP_SUMMARY"
exit "$code"
