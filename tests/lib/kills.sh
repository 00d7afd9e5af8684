# What tests/soak counts of its kills, for doc/reliability.md; sourced after lib.sh.
# shellcheck shell=sh disable=SC2154

# kills_count COMMAND WHAT: one more of it.
kills_count() {
	eval "kills_$1_$2=\$((\${kills_$1_$2:-0} + 1))"
}

# kills_write COMMAND: its line, in a file of its own: scripts run at the same time.
kills_write() {
	mkdir -p "$RONDO_BUILD/kills"
	for what in points killed begun resumed ended equal; do
		eval "n=\${kills_$1_$what:-0}"
		printf '%s"%s": %d' "$separator" $what "$n"
		separator=', '
	done >kills-numbers
	separator=
	printf '{"command": "%s", "seed": %d, %s}\n' "$1" "$SEED" "$(cat kills-numbers)" \
		>"$RONDO_BUILD/kills/$1.jsonl"
}
separator=

# next_random LENGTH: point is one between 0 and a fifth more.
# shellcheck disable=SC2034 # who sources this uses it
next_random() {
	random=$(((random * 1103515245 + 12345) % 2147483648))
	point=$((random / 65536 % ($1 * 6 / 5)))
}

# killed_after COMMAND MILLISECONDS PROGRAM...: kills it so long after its start.
killed_after() {
	kills_command=$1 seconds=$(($2 / 1000)).$(printf '%03d' $(($2 % 1000)))
	shift 2
	timeout -s KILL "$seconds" "$@" >/dev/null 2>&1
	[ $? != 137 ] || kills_count "$kills_command" killed
}
