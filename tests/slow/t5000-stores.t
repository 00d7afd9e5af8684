#!/bin/sh
test_description='package stores of the home: Go modules, Cargo; slow, because their builds are'
. "$(dirname "$0")/../cli/lib.sh"

# A module in the cache as `go mod download` leaves it there.
fill_modcache() {
	cache=$1/cache/download/example.org/plus/@v module=$1/example.org/plus@v1.0.0
	mkdir -p "$cache" "$module" &&
		printf 'module example.org/plus\n\ngo 1.18\n' >"$module/go.mod" &&
		printf 'package plus\n\nfunc Plus(a, b int) int { return a + b }\n' >"$module/plus.go" &&
		echo v1.0.0 >"$cache/list" && echo '{"Version":"v1.0.0"}' >"$cache/v1.0.0.info" &&
		cp "$module/go.mod" "$cache/v1.0.0.mod" &&
		(cd "$1" && python3 -m zipfile -c "$cache/v1.0.0.zip" example.org/plus@v1.0.0)
}

check GO,SANDBOX 'a Go project whose module lies in the module cache' '
	export GOMODCACHE="$HOME/modcache" GOFLAGS=-mod=mod GOPROXY=off GONOSUMDB="*" GOSUMDB=off \
		GOPATH="$HOME/gopath" &&
	fill_modcache "$GOMODCACHE" && mkdir sum && cd sum && git init -q &&
	printf "module example.org/sum\n\ngo 1.18\n\nrequire example.org/plus v1.0.0\n" >go.mod &&
	cat >sum.go <<-\EOF &&
	package sum

	import "example.org/plus"

	func Sum(list []int) int {
		total := 1
		for _, n := range list {
			total = plus.Plus(total, n)
		}
		return total
	}
	EOF
	cat >sum_test.go <<-\EOF &&
	package sum

	import "testing"

	func TestSum(t *testing.T) {
		if got := Sum([]int{1, 2, 3}); got != 6 {
			t.Errorf("Sum is %d", got)
		}
	}
	EOF
	(go test ./... >../go.out 2>&1; grep "Sum is 7" ../go.out) && commit_all &&
	fix --limit suite=120s --limit repair=120s >../out &&
	git diff main "$(the_branch)" | grep "^+.*total := 0"
'

check CARGO,SANDBOX 'a Cargo project whose dependency lies in the cache of the home' '
	export CARGO_HOME="$HOME/.cargo" RUSTUP_HOME="${RUSTUP_HOME:-$REAL_HOME/.rustup}" &&
	mkdir -p plus/src &&
	printf "[package]\nname = \"plus\"\nversion = \"1.0.0\"\nedition = \"2021\"\n" \
		>plus/Cargo.toml &&
	printf "pub fn plus(a: i32, b: i32) -> i32 { a + b }\n" >plus/src/lib.rs && git init -q plus &&
	(cd plus && commit_all) && mkdir -p total/src && cd total && git init -q &&
	echo /target >.gitignore &&
	printf "[package]\nname = \"total\"\nversion = \"1.0.0\"\nedition = \"2021\"\n\n" >Cargo.toml &&
	printf "[dependencies]\nplus = { git = \"file://%s\" }\n" \
		"$(echo "$HOME/plus" | sed "s/ /%20/g")" >>Cargo.toml &&
	cat >src/lib.rs <<-\EOF &&
	pub fn total(list: &[i32]) -> i32 {
	    list.iter().fold(1, |sum, n| plus::plus(sum, *n))
	}

	#[test]
	fn totals() {
	    assert_eq!(total(&[1, 2, 3]), 6);
	}
	EOF
	cargo fetch -q && commit_all && fix --limit suite=120s --limit repair=120s >../out &&
	git diff main "$(the_branch)" | grep "^+.*fold(0"
'

test_done
