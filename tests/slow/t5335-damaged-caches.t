#!/bin/sh
test_description='caches of real compilers that are rubbish, cut short or of elsewhere'
. "$(dirname "$0")/../cli/lib.sh"
# shellcheck disable=SC2016
export RUSTUP_HOME="${RUSTUP_HOME:-$REAL_HOME/.rustup}" CARGO_HOME="$PWD/cargo" GOCACHE="$PWD/gocache"
command -v cmake >/dev/null && test_set_prereq CMAKE
mkdir -p "$GOCACHE" "$CARGO_HOME"

# fixed FILE [OPTION...]: the one wrong sign of the file is mended, and nothing else is tried for
# long.
fixed() {
	file=$1 && shift && fix "$@" >../out && mended "$file"
}

# mended FILE: ../out and the branch say so.
mended() {
	grep "verified in a fresh checkout" ../out &&
		git diff --name-only main "$(the_branch)" >../changed && echo "$1" >../expected &&
		test_cmp ../expected ../changed && git branch -D "$(the_branch)"
}

module() {
	mkdir "$1" && cd "$1" && git init -q && printf "module x\n\ngo 1.20\n" >go.mod &&
		printf "package x\n\nimport \"strings\"\n\nfunc Add(a, b int) int { return a - b }\n\nfunc Up(s string) string { return strings.ToUpper(s) }\n" \
			>a.go && cat >a_test.go <<-\EOF && commit_all && { go test ./... || :; }
	package x
	import "testing"
	func TestAdd(t *testing.T) { if got := Add(2, 3); got != 5 { t.Errorf("got %d", got) } }
	func TestUp(t *testing.T) { if Up("a") != "A" { t.Error("not up") } }
	EOF
}

# spoil BEGINNING COMMAND: does that to "$file", each file of Go's cache that begins so.
spoil() {
	grep -la "^$1" "$GOCACHE"/*/*-d >../kept && test -s ../kept && while read -r file; do
		eval "$2" || return 1
	done <../kept
}

# Other bytes in the same number.
RUBBISH='head -c $(stat -c %s "$file") /dev/urandom >../rubbish && cat ../rubbish >"$file"'

check SANDBOX,GO 'Go: archives in its cache that are rubbish' '
	module archives && spoil "!<arch>" "$RUBBISH" && fixed a.go &&
	grep "what was built here before is damaged and left out: .*not the start of an archive" ../out
'

check SANDBOX,GO 'Go: a run that broke off leaves them out when it goes on' '
	rm -rf gocache && mkdir gocache && module resumed && spoil "!<arch>" "$RUBBISH" &&
	interrupted KILL && rm -rf "$XDG_CACHE_HOME" && "$RONDO" resume >../out &&
	mended a.go
'

check SANDBOX,GO 'Go: an index in its cache that is rubbish' '
	rm -rf gocache && mkdir gocache && module index && spoil "go index" "$RUBBISH" && fixed a.go &&
	grep "what was built here before is damaged and left out: .*is not in std" ../out
'

check SANDBOX,GO 'Go: entries that are cut short or no entries at all' '
	rm -rf gocache && mkdir gocache && module short && spoil "!<arch>" "truncate -s 50 \"\$file\"" &&
	for i in 0 1 2 3; do echo rubbish >"$GOCACHE/0$i/rubbish-a" || return 1; done &&
	fixed a.go && ! grep damaged ../out
'

check SANDBOX,GO 'Go: an import that does not exist is a mistake of the tree' '
	module misspelt && sed -i s/\"strings\"/\"stings\"/ a.go && commit_all &&
	test_expect_code 1 fix --limit candidates=1 >../out && grep "a.go" ../out &&
	! grep damaged ../out
'

crate() {
	mkdir -p "$1/dep/src" "$1/src" && cd "$1" && git init -q && echo /target >.gitignore &&
		printf "[package]\nname = \"dep\"\nversion = \"0.1.0\"\nedition = \"2021\"\n" >dep/Cargo.toml &&
		sed s/dep/x/ dep/Cargo.toml >Cargo.toml &&
		printf "[dependencies]\ndep = { path = \"dep\" }\n" >>Cargo.toml &&
		echo "pub fn one() -> i32 { 1 }" >dep/src/lib.rs &&
		printf "pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n" >src/lib.rs &&
		echo "#[cfg(test)] mod tests { #[test] fn adds() { assert_eq!(super::add(2, 3) * dep::one(), 5); } }" \
			>>src/lib.rs && { cargo test --offline || :; } && commit_all
}

check SANDBOX,CARGO 'Cargo: a crate in target that is cut short' '
	crate cut && truncate -s 100 target/debug/deps/libdep* && fixed src/lib.rs &&
	grep "what was built here before is damaged and left out: .*invalid metadata" ../out
'

check SANDBOX,CARGO 'Cargo: what another compiler built, and its notes' '
	crate other && sed -i "s/rustc 1[.0-9]*/rustc 1.0.0/g" target/.rustc_info.json &&
	for note in target/debug/.fingerprint/*/*.json; do
		sed -i "s/\"rustc\":[0-9]*/\"rustc\":1/" "$note" || return 1
	done && fixed src/lib.rs && ! grep damaged ../out
'

check SANDBOX,CMAKE 'CMake: a build directory of another checkout, and rubbish in it' '
	mkdir -p there && cd there && cat >CMakeLists.txt <<-\EOF &&
	cmake_minimum_required(VERSION 3.10)
	project(x C)
	enable_testing()
	add_executable(test_area tests/test_area.c area.c)
	add_test(NAME area COMMAND test_area)
	EOF
	mkdir tests && printf "int area(int w, int h)\n{\n\treturn w + h;\n}\n" >area.c &&
	printf "int area(int w, int h);\nint main(void)\n{\n\treturn area(3, 5) != 15;\n}\n" \
		>tests/test_area.c && cmake -B build && cmake --build build && cp -R . ../here && cd ../here &&
	grep there build/CMakeCache.txt && git init -q && echo /build/ >.gitignore && commit_all &&
	fixed area.c && fixed area.c \
		--test "cmake -B build && cmake --build build && ctest --test-dir build" &&
	echo rubbish >build/CMakeCache.txt && fixed area.c
'

test_done
