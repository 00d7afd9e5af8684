# Which lines tests run, as cover.h says it, for what compilers make. In: $note, the text of note.c;
# $places, that of places.awk; $seconds, for the tests and their build; $hangs, a word where a test
# of the goal does not end. What follows this builds programs and runs their tests. At the beginning
# of each block they call $t/note.o, linked with programs, or $t/none.o, linked with other modules.
: "${note?}" "${places?}" "${seconds?}" "${hangs?}"
exec 3>&1 >/dev/null 2>&1
tree=$PWD

begin() {
	t=$(mktemp -d) && trap 'rm -rf "$t"' EXIT && trap 'exit 1' HUP INT TERM &&
		mkdir "$t/bin" "$t/notes" && printf '%s' "$note" >"$t/note.c" &&
		cc -D_GNU_SOURCE -fPIC -O1 -c -o "$t/note.o" "$t/note.c" &&
		echo '__attribute__((weak)) void __sanitizer_cov_trace_pc(void) {}' >"$t/none.c" &&
		cc -fPIC -c -o "$t/none.o" "$t/none.c" &&
		export RONDO_COVER="$t/notes" RONDO_COVER_HANGS="$hangs"
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
