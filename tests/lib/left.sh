# Finds processes that a script left: sourced after cli/lib.sh. Programs have $mark in their
# environment, or sleep for $nap if they have cleared it.
# shellcheck shell=sh disable=SC2016,SC2034
mark=left-$$ nap=1000.$$

# marked: the pids of processes whose environment or arguments have the mark.
marked() {
	{
		grep -lsz "^MARK=$mark\$" /proc/[0-9]*/environ
		grep -lsz "^1000\.$$\$" /proc/[0-9]*/cmdline
	} | cut -d/ -f3 | sort -nu
}

nobody() {
	! marked | grep -q .
}

# await prints who is left.
awaited_in_vain() {
	for pid in $(marked); do
		echo "$pid: $(tr '\0' ' ' <"/proc/$pid/cmdline")"
	done
}

# Nothing stays after a failed check, either.
cleanup 'nobody || kill -KILL $(marked)'
