# Rust. In: $command, cargo's; $tests, the names of tests, one a line: of each, a test program is
# started. Only the workspace's own crates are compiled anew; what they need is copied.
: "${command?}" "${tests?}"
begin || exit 0
for target in "${CARGO_TARGET_DIR:-target}" ../target ../../target; do
	[ -d "$target" ] && is_small "$target" 500 && cp -a "$target" "$t/target" && break
done

# What cargo runs while it builds has nothing to note.
cat >"$t/bin/rustc" <<END
#!/bin/sh
case " \$* " in
*" --crate-name build_script_"* | *" proc-macro "*) exec "\$@" "-Clink-arg=$t/none.o" ;;
esac
exec "\$@" -Cdebuginfo=2 "-Clink-arg=$t/note.o" -Cpasses=sancov-module \\
	-Cllvm-args=-sanitizer-coverage-level=3 -Cllvm-args=-sanitizer-coverage-trace-pc \\
	-Cllvm-args=-sanitizer-coverage-prune-blocks=0
END
cat >"$t/bin/run" <<'END'
#!/bin/sh
all=$(RONDO_COVER= "$1" --list)
printf '%s\n' "$tests" | while IFS= read -r test; do
	printf '%s\n' "$all" | grep -qxF "$test: test" &&
		timeout -k 1 -s "$signal" 5 "$1" --exact "$test" </dev/null
done
END
chmod +x "$t/bin/rustc" "$t/bin/run"
host=$(rustc -vV | sed -n 's/^host: //p' | tr 'a-z.-' 'A-Z__')
export tests signal CARGO_TARGET_DIR="$t/target" RUSTC_WORKSPACE_WRAPPER="$t/bin/rustc" \
	"CARGO_TARGET_${host}_RUNNER=$t/bin/run"
run "$command"
end "$tree"
