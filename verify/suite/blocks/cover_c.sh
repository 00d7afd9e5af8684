# C and C++. In: $command, the suite's; $dir, where in the tree it runs, or nothing. A copy of the
# sources is built anew.
: "${command?}" "${dir?}"
tree=${tree%/"$dir"}
sources() {
	find . \( -name '*.c' -o -name '*.cc' -o -name '*.cpp' -o -name '*.cxx' -o -name '*.C' \) "$@"
}
cd "$tree" && sources | grep -q . && is_small . 200 && begin && cp -a . "$t/tree" &&
	cd "$t/tree" || exit 0
find . \( -name CMakeCache.txt -o -name meson-private \) | while IFS= read -r built; do
	rm -rf "${built%/*}" "$built"
done
sources -exec touch {} +

# Words show whether a compiler links, and what.
for name in cc c++ gcc g++ clang clang++ c99; do
	at=$(command -v "$name") || continue
	cat >"$t/bin/$name" <<END
#!/bin/sh
has_input= links=yes note="$t/note.o"
for word; do
	case \$word in
	-c | -S | -E | -M | -MM | -r | -fsyntax-only) links= ;;
	-shared) note="$t/none.o" ;;
	-*) ;;
	*.c | *.cc | *.cpp | *.cxx | *.C | *.o | *.a | *.lo | @*) has_input=yes ;;
	esac
done
[ "\$has_input" ] || exec "$at" "\$@"
[ "\$links" ] && set -- "\$@" -x none "\$note" -rdynamic -ldl
exec "$at" "\$@" -g -O0 -w -fsanitize-coverage=trace-pc
END
	chmod +x "$t/bin/$name"
done
export PATH="$t/bin:$PATH" XDG_CACHE_HOME="$t/cache"
cd "./$dir" && run "$command"
end "$t/tree"
