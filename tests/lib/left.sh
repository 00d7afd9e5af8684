# shellcheck shell=sh disable=SC2016,SC2034
# Who is left of what a script started: sourced after cli/lib.sh. Programs carry $mark in their
# environment, or sleep for $nap where they have cleared it.
mark=left-$$ nap=1000.$$

# marked: the pids of those whose environment or arguments have the mark.
marked() {
	{
		grep -lsz "^MARK=$mark\$" /proc/[0-9]*/environ
		grep -lsz "^1000\.$$\$" /proc/[0-9]*/cmdline
	} | cut -d/ -f3 | sort -nu
}

nobody() {
	! marked | grep -q .
}

# What await tells.
awaited_in_vain() {
	for pid in $(marked); do
		echo "$pid: $(tr '\0' ' ' <"/proc/$pid/cmdline")"
	done
}

# Also where a check has failed.
cleanup 'nobody || kill -KILL $(marked)'
