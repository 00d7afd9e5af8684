#!/bin/sh
test_description='what rondo reads of rspec, minitest, phpunit, busted, bats, meson and Automake, as
they are installed here'
. "$(dirname "$0")/../cli/lib.sh"

for program in rspec rake phpunit busted bats meson autoreconf gradle; do
	command -v $program >/dev/null && test_set_prereq "$(echo $program | tr a-z A-Z)"
done

# reads DIR COMMAND EXIT [TIMEOUT_MS [ID...]]: a run that comes to its end; its results are in
# `read`.
reads() {
	dir=$1 command=$2 code=$3
	shift 3
	read_report "$dir" "$command" "$@" >./read && cat ./read && grep -qx complete read &&
	grep -qx "exit	$code" read
}

# has STATUS ID [FILE:LINE]: a result.
has() {
	awk -F '\t' -v status="$1" -v id="$2" -v at="${3-}" \
		'$1 == status && $2 == id && (at == "" || $3 == at) { found = 1 } END { exit !found }' read
}

# file PATH: of standard input.
file() {
	mkdir -p "$(dirname "$1")" && cat >"$1"
}

check RSPEC 'rspec: a green, a red and a pending example; one alone; a file that is not loaded' '
	file rspec/spec/a_spec.rb <<-\EOF &&
	describe "sum" do
	  it("adds") { expect(1 + 2).to eq 3 }
	  it("is red") { expect(1 + 2).to eq 4 }
	  it("waits")
	end
	EOF
	reads rspec rspec 1 && has passed "spec/a_spec.rb[1:1] sum adds" &&
	has failed "spec/a_spec.rb[1:2] sum is red" spec/a_spec.rb:3 &&
	has skipped "spec/a_spec.rb[1:3] sum waits" &&
	reads rspec rspec 0 60000 "spec/a_spec.rb[1:1] sum adds" && ! grep red read &&
	echo "require \"nothere\"" >rspec/spec/b_spec.rb && reads rspec rspec 1 &&
	has error spec/b_spec.rb spec/b_spec.rb:1
'

check RAKE 'minitest: by rake, one alone, and without a Rakefile' '
	file mini/Rakefile <<-\EOF &&
	require "rake/testtask"
	Rake::TestTask.new { |t| t.pattern = "test/*_test.rb" }
	EOF
	file mini/test/sum_test.rb <<-\EOF &&
	require "minitest/autorun"
	class SumTest < Minitest::Test
	  def test_green; assert_equal 3, 1 + 2; end
	  def test_red; assert_equal 4, 1 + 2; end
	  def test_later; skip "later"; end
	end
	EOF
	TESTOPTS=-v reads mini "rake test" 1 && has passed SumTest#test_green &&
	has failed SumTest#test_red test/sum_test.rb:4 && has skipped SumTest#test_later
'

check PHPUNIT 'phpunit: data sets, one alone, a class that is not there' '
	file php/phpunit.xml <<-\EOF &&
	<phpunit bootstrap="sum.php"><testsuites><testsuite name="all">
	<directory>tests</directory></testsuite></testsuites></phpunit>
	EOF
	echo "<?php function sum(\$a, \$b) { return \$a - \$b; }" | file php/sum.php &&
	file php/tests/SumTest.php <<-\EOF &&
	<?php
	final class SumTest extends PHPUnit\Framework\TestCase {
	  /** @dataProvider rows */
	  public function testSum($a, $b, $c): void { $this->assertSame($c, sum($a, $b)); }
	  public static function rows() { return [[0, 0, 0], "one (1)" => [1, 1, 2]]; }
	}
	EOF
	reads php phpunit 1 && has passed "tests/SumTest.php::SumTest::testSum with data set #0" &&
	red="tests/SumTest.php::SumTest::testSum with data set \"one (1)\"" &&
	has failed "$red" tests/SumTest.php:4 && reads php phpunit 1 60000 "$red" &&
	has failed "$red" && ! grep "#0" read
'

check BUSTED 'busted: one alone, a module that does not load' '
	file lua/spec/sum_spec.lua <<-\EOF &&
	local sum = require "sum"
	describe("sum", function()
	  it("adds (1+1)", function() assert.are.equal(2, sum(1, 1)) end)
	  it("is green", function() assert.are.equal(0, sum(0, 0)) end)
	end)
	EOF
	echo "return function(a, b) return a - b end" | file lua/sum.lua && reads lua busted 1 &&
	has failed "sum adds (1+1)" spec/sum_spec.lua:3 && has passed "sum is green" &&
	reads lua busted 0 60000 "sum is green" && ! grep adds read && echo "return (" >lua/sum.lua &&
	reads lua busted 1 && has failed "suite spec/sum_spec.lua"
'

check BATS 'bats: one alone' '
	file bats/test/a.bats <<-\EOF &&
	@test "adds (1+2)" { [ $((1 + 2)) = 3 ]; }
	@test "is red" {
	  [ $((1 + 2)) = 4 ]
	}
	@test "later" { skip "no time"; }
	EOF
	reads bats "bats test" 1 && has passed "adds (1+2)" && has failed "is red" test/a.bats:3 &&
	has skipped later && reads bats "bats test" 0 60000 "adds (1+2)" && ! grep red read
'

# shop DIR: sum.c and a program that tests it, by its argument.
shop() {
	echo "int sum(int a, int b) { return a - b; }" | file "$1/sum.c" &&
		file "$1/tests/sum_test.c" <<-\EOF
		#include <assert.h>
		int sum(int a, int b);
		int main(int argc, char **argv)
		{
			(void)argv;
			if (argc > 1)
				assert(sum(0, 0) == 0);
			else
				assert(sum(1, 1) == 2);
		}
		EOF
}

check MESON 'meson: built elsewhere, one alone' '
	shop meson && file meson/meson.build <<-\EOF &&
	project("shop", "c")
	test_sum = executable("sum_test", ["sum.c", "tests/sum_test.c"])
	test("green", test_sum, args: ["1"])
	test("red one", test_sum)
	EOF
	sed -i "s/\"/'\''/g" meson/meson.build && b="\"$PWD/built\"" &&
	run="[ -e $b/build.ninja ] || meson setup $b && meson test -C $b" &&
	reads meson "$run" 1 600000 && has passed green &&
	has failed "red one" && reads meson "$run" 0 600000 green &&
	! grep red read
'

check AUTORECONF 'Automake: found without a makefile, fixed, some tests alone' '
	shop auto && file auto/configure.ac <<-\EOF &&
	AC_INIT([shop], [1.0])
	AM_INIT_AUTOMAKE([foreign subdir-objects])
	AC_PROG_CC
	AC_CONFIG_FILES([Makefile])
	AC_OUTPUT
	EOF
	file auto/Makefile.am <<-\EOF &&
	check_PROGRAMS = sum_test
	sum_test_SOURCES = tests/sum_test.c sum.c
	TESTS = sum_test
	EOF
	cd auto && git init -q && commit_all && fix >../out && grep "autoreconf -fi" ../out &&
	grep "1 of 1 passed (was 0)" ../out &&
	git diff --name-only "$(the_branch)~" "$(the_branch)" >../names && echo sum.c >../expected && test_cmp ../expected ../names
'

test_done
