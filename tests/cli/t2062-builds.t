#!/bin/sh
test_description='how candidates of compiled languages share builds'
. "$(dirname "$0")/lib.sh"

# Go's standard library is compiled already where somebody tests on this machine.
[ -d "$REAL_CACHE/go-build" ] && export GOCACHE="$REAL_CACHE/go-build"
[ -d "$REAL_HOME/.rustup" ] && export RUSTUP_HOME="${RUSTUP_HOME:-$REAL_HOME/.rustup}"

# fixed_in_builds PATTERN: rondo fix, whose fix has this; candidates shared builds and were run in
# them.
fixed_in_builds() {
	RONDO_LOG=debug fix --limit repair=100s >../out 2>../log || return
	git show "$(the_branch)" | grep "^+.*$1" &&
		grep "candidates in one build: it does as the base" ../log &&
		grep "rerun *number [2-9]" ../log
}

check SANDBOX,GO,LONG 'Go: test programs are run without go' '
	mkdir module && cd module && git init -q && printf "module m\n\ngo 1.18\n" >go.mod &&
	cat >m.go <<-\EOF && cat >m_test.go <<-\EOF2 && commit_all &&
	// Package m weighs.
	package m

	import "errors"

	type scale struct{ least, most int }

	// weigh says what is too much.
	func (s *scale) weigh(weights ...int) (sum int, err error) {
		for _, weight := range weights {
			if weight < s.least {
				continue
			}
			sum += weight
		}
		if sum < s.most {
			return 0, errors.New("too much")
		}
		return
	}
	EOF
	package m

	import "testing"

	func TestWeigh(t *testing.T) {
		s := scale{2, 9}
		for _, c := range []struct{ a, b, sum int }{{1, 3, 3}, {4, 5, 9}} {
			t.Run("sum", func(t *testing.T) {
				if sum, err := s.weigh(c.a, c.b); err != nil || sum != c.sum {
					t.Errorf("got %d, %v", sum, err)
				}
			})
		}
	}

	func TestTooMuch(t *testing.T) {
		if _, err := (&scale{2, 9}).weigh(5, 5); err == nil {
			t.Error("no error")
		}
	}
	EOF2
	fixed_in_builds "sum > s.most"
'

# Go calls such a test program otherwise. To start go takes longer than a tenth of a second.
check SANDBOX,GO,LONG 'Go: so are those of a command' '
	cp -r module command && cd command && git branch -qD "$(the_branch)" &&
	sed -i "s/^package m$/package main/" *.go && echo "func main() {}" >>m.go &&
	git commit -qam command && fixed_in_builds "sum > s.most" &&
	grep "rerun *number [3-9]: .* in [0-9][0-9]* ms" ../log | grep " in [0-9]\{1,2\} ms"
'

check SANDBOX,CARGO,LONG 'Rust: test programs are run without cargo' '
	rm -rf state && mkdir -p crate/src && cd crate && git init -q && echo target >.gitignore &&
	printf "[package]\nname = \"scale\"\nversion = \"0.1.0\"\nedition = \"2021\"\n" >Cargo.toml &&
	cat >src/lib.rs <<-\EOF && commit_all &&
	#![no_std]
	pub struct Scale {
	    pub least: i32,
	    pub most: i32,
	}

	impl Scale {
	    /// What is too much is an error.
	    pub fn weigh<T: Into<i32> + Copy>(&self, weights: &[T]) -> Result<i32, &str> {
	        let mut sum = 0;
	        for weight in weights {
	            let weight: i32 = (*weight).into();
	            if weight < self.least {
	                continue;
	            }
	            sum += weight;
	        }
	        if sum < self.most { Err("too much") } else { Ok(sum) }
	    }
	}

	#[cfg(test)]
	mod tests {
	    use super::Scale;
	    const SCALE: Scale = Scale { least: 2, most: 9 };

	    #[test]
	    fn weighs() {
	        assert_eq!(SCALE.weigh(&[1i32, 3]), Ok(3));
	        assert_eq!(SCALE.weigh(&[4i16, 5]), Ok(9));
	    }

	    #[test]
	    fn says_what_is_too_much() {
	        assert!(SCALE.weigh(&[5i32, 5]).is_err());
	    }
	}
	EOF
	fixed_in_builds "sum > self.most"
'

check SANDBOX,LONG 'C: a suite that make runs' '
	rm -rf state && mkdir -p program/tests && cd program && git init -q && echo /test >.gitignore &&
	printf "%s\n" "check: test" "	./test" "test: weigh.c tests/test.c" \
		"	cc -o test weigh.c tests/test.c" >Makefile &&
	cat >weigh.c <<-\EOF && cat >tests/test.c <<-\EOF2 && commit_all &&
	int weigh(int least, int most, const int *weights, int n)
	{
		int sum = 0;
		for (int i = 0; i < n; i++) {
			if (weights[i] < least)
				continue;
			sum += weights[i];
		}
		if (sum < most)
			return -1;
		return sum;
	}
	EOF
	#include <stdio.h>
	int weigh(int least, int most, const int *weights, int n);
	int main(void)
	{
		int few = weigh(2, 9, (int[]){1, 4, 5}, 3), many = weigh(2, 9, (int[]){5, 5}, 2);
		puts("1..2");
		puts(few == 9 ? "ok 1 - few" : "not ok 1 - few");
		puts(many == -1 ? "ok 2 - many" : "not ok 2 - many");
		return few != 9 || many != -1;
	}
	EOF2
	fixed_in_builds "sum > most"
'

check SANDBOX "C: a crash is a result, and shows where to look" '
	rm -rf state && mkdir crash && cd crash && git init -q && echo /test >.gitignore &&
	printf "%s\n" "check: test" "	./test" "test: list.c test.c" \
		"	cc -o test list.c test.c" >Makefile &&
	cat >list.c <<-\EOF && cat >test.c <<-\EOF2 && commit_all &&
	#include "stddef.h"
	struct node { int value; struct node *next; };
	int length(const struct node *list)
	{
		int n = 0;
		for (; list; list = list->next)
			n++;
		return n;
	}
	int last(const struct node *list)
	{
		if (list->next == NULL)
			return list->value;
		return last(list->next);
	}
	EOF
	#include <stdio.h>
	struct node { int value; struct node *next; };
	int length(const struct node *list);
	int last(const struct node *list);
	int main(void)
	{
		struct node end = {7, NULL}, begin = {5, &end};
		int failed = 0;
		setvbuf(stdout, NULL, _IOLBF, 0);
		puts(length(&begin) == 2 ? "ok 1 - two" : (failed++, "not ok 1 - two"));
		puts(last(&begin) == 7 ? "ok 2 - second" : (failed++, "not ok 2 - second"));
		puts(last(NULL) == 0 ? "ok 3 - none" : (failed++, "not ok 3 - none"));
		puts(last(&end) == 7 ? "ok 4 - only" : (failed++, "not ok 4 - only"));
		puts("1..4");
		return failed;
	}
	EOF2
	RONDO_LOG=debug fix --limit repair=100s >../out 2>../log &&
	git show "$(the_branch)" >../change &&
	grep "make check *make: .* Segmentation fault" ../out && grep "4 of 4 passed (was 1)" ../out &&
	grep "lines that 4 tests of the goal run, 2 others" ../log && grep "^+.*list" ../change
'

check SANDBOX,LONG "C: a test that does not end is seen while it computes, and mended" '
	rm -rf state && mkdir loop && cd loop && git init -q && echo /test >.gitignore &&
	printf "%s\n" "check: test" "	@./test" "test: bits.c test.c" "	cc -o test bits.c test.c" \
		>Makefile &&
	cat >bits.c <<-\EOF && cat >test.c <<-\EOF2 && commit_all &&
	int count(unsigned n)
	{
		int bits = 0;
		while (n) {
			n ^= n - 1;
			bits++;
		}
		return bits;
	}
	EOF
	#include <stdio.h>
	int count(unsigned n);
	int main(void)
	{
		int few = count(128), many = count(127);
		puts("1..2");
		puts(few == 1 ? "ok 1 - few" : "not ok 1 - few");
		puts(many == 7 ? "ok 2 - many" : "not ok 2 - many");
		return few != 1 || many != 7;
	}
	EOF2
	RONDO_LOG=debug fix --limit silence=1s --limit repair=100s >../out 2>../log &&
	git show "$(the_branch)" | grep "^+.*n &= n - 1;" && grep "2 of 2 passed (was 0)" ../out &&
	grep "rerun  *number 0: timed out" ../log && grep "candidates in one build: it does as" ../log
'

check SANDBOX,CARGO,LONG 'Rust: of tests side by side the one that does not end is named' '
	rm -rf state && mkdir -p bits/src && cd bits && git init -q && echo /target >.gitignore &&
	printf "[package]\nname = \"bits\"\nversion = \"0.1.0\"\nedition = \"2021\"\n" >Cargo.toml &&
	cat >src/lib.rs <<-\EOF && commit_all &&
	pub fn count(mut n: u32) -> u32 {
	    let mut bits = 0u64; // does not overflow in a minute
	    while n != 0 {
	        n ^= n - 1;
	        bits += 1;
	    }
	    bits as u32
	}

	#[cfg(test)]
	mod tests {
	    use super::count;

	    #[test]
	    fn counts_none() {
	        assert_eq!(count(0), 0);
	    }

	    #[test]
	    fn counts_some() {
	        assert_eq!(count(128), 1);
	        assert_eq!(count(127), 7);
	    }
	}
	EOF
	fix --test "cargo test" --limit silence=3s --limit repair=100s >../out 2>../log &&
	grep "^! .*tests::counts_some does not end: the others run without it$" ../out &&
	git show "$(the_branch)" | grep "^+.*n &= n - 1;" && grep "2 of 2 passed (was 1)" ../out
'

test_done
