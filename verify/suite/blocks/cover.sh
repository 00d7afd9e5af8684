# Which lines tests run, as cover.h says it, for what compilers make. In: $note, $verdict, $collect
# and $places, the texts of these files; $seconds, for the tests and their build; $signal, by which
# that time ends (who ends by TERM hung). What follows this builds programs and runs their
# tests. At the beginning of each block they call $t/note.o, linked with programs, or $t/none.o,
# linked with other modules.
: "${note?}" "${verdict?}" "${collect?}" "${places?}" "${seconds?}" "${signal?}"
exec 3>&1 >/dev/null 2>&1
tree=$PWD

begin() {
	t=$(mktemp -d) && trap 'rm -rf "$t"' EXIT && trap 'exit 1' HUP INT TERM &&
		blocks=$t/verify/suite/blocks && mkdir -p "$t/bin" "$t/notes" "$blocks" &&
		printf '%s' "$note" >"$blocks/note.c" && printf '%s' "$verdict" >"$blocks/verdict.h" &&
		printf '%s' "$collect" >"$blocks/collect.c" &&
		cc -D_GNU_SOURCE "-I$t" -fPIC -O1 -c -o "$t/note.o" "$blocks/note.c" &&
		cc -D_GNU_SOURCE "-I$t" -O1 -o "$t/collect" "$blocks/collect.c" &&
		echo '__attribute__((weak)) void __sanitizer_cov_trace_pc(void) {}' >"$t/none.c" &&
		cc -fPIC -c -o "$t/none.o" "$t/none.c" && mkfifo "$t/output" &&
		export RONDO_COVER="$t/notes"
}

# run COMMAND: what its output says is told of the programs that it ran. Python would hold it back.
run() {
	timeout -s KILL "$seconds" "$t/collect" <"$t/output" &
	RONDO_COVER_OUTPUT="$t/output" PYTHONUNBUFFERED=1 MAKEFLAGS=s \
		timeout -k 1 -s "$signal" "$seconds" sh -c "$1" </dev/null >"$t/output" 2>&1
	wait
}

# is_small DIR MIB
is_small() {
	[ "$(du -sm "$1" | cut -f1)" -lt "$2" ]
}

# end DIR: print what was noted; programs know their sources by their paths in DIR.
end() {
	cat "$t/notes/"* >"$t/all"
	{
		sed -n 's/ [0-9a-f]*$//p' "$t/all" | sort -u | while IFS= read -r module; do
			printf 'module %s\n' "$module"
			timeout "$seconds" objdump -dl --no-show-raw-insn "$module"
		done
		echo notes
		cat "$t/all"
	} | awk -v copy="$1/" -v tree="$tree/" "$places" >&3
}
