#!/bin/sh
test_description='rondo fix in languages that are interpreted: Lua, PHP, Perl'
. "$(dirname "$0")/../cli/lib.sh"

# changes LINE: the branch adds this line.
changes() {
	git diff main "$(the_branch)" | grep -F "+$1"
}

check LUA 'a module of Lua whose test asserts' '
	mkdir lua && cd lua && git init -q &&
	cat >cart.lua <<-\EOF &&
	-- What is in a cart.
	local M = {}

	--[[ The sum of all lines, each of which is
	     { price, count }. ]]
	function M.total(lines)
	  local sum = 0
	  for i = 1, #lines - 1 do
	    sum = sum + lines[i][1] * lines[i][2]
	  end
	  return sum
	end

	return M
	EOF
	cat >test.lua <<-\EOF &&
	local cart = require("cart")
	assert(cart.total({ { 30, 2 }, { 20, 3 } }) == 120, "two lines")
	assert(cart.total({}) == 0, "none")
	EOF
	commit_all && fix --test "lua test.lua" >../out && changes "  for i = 1, #lines do" &&
	grep "test.lua:2: two lines" ../out
'

check LUA 'a block of Lua that nothing ends' '
	mkdir lua-end && cd lua-end && git init -q &&
	cat >sign.lua <<-\EOF &&
	return function(number)
	  if number < 0 then
	    return -1
	  if number > 0 then
	    return 1
	  end
	  return 0
	end
	EOF
	echo "assert(require(\"sign\")(-2) == -1 and require(\"sign\")(0) == 0 and require(\"sign\")(3) == 1)" >test.lua &&
	commit_all && fix --test "lua test.lua" >../out && git checkout -q "$(the_branch)" &&
	lua test.lua
'

check PHP 'a class of PHP, tested by a script' '
	mkdir php && cd php && git init -q &&
	cat >Cart.php <<-\EOF &&
	<?php
	/** What is in a cart. */
	final class Cart
	{
	    private array $lines = [];

	    public function add(string $name, int $price, int $count = 1): void
	    {
	        $this->lines[$name] = ["price" => $price, "count" => $count];
	    }

	    public function names(): string
	    {
	        $names = array_values($this->lines);
	        sort($names);
	        return "{$this->count()}: " . implode(", ", $names);
	    }

	    public function count(): int
	    {
	        return count($this->lines);
	    }
	}
	EOF
	cat >tests.php <<-\EOF &&
	<?php
	require "Cart.php";
	$cart = new Cart();
	$cart->add("pear", 30);
	$cart->add("apple", 20, 3);
	if ($cart->names() !== "2: apple, pear") {
	    throw new Exception("names: " . json_encode($cart->names()));
	}
	EOF
	commit_all && fix --test "php tests.php" >../out &&
	changes "        \$names = array_keys(\$this->lines);"
'

check PHP 'a semicolon of PHP that is missing' '
	mkdir php-end && cd php-end && git init -q &&
	printf "%s\n" "<?php" "function twice(\$x)" "{" "    \$y = \$x * 2" "    return \$y;" "}" \
		>twice.php &&
	printf "%s\n" "<?php" "require __DIR__ . \"/twice.php\";" "exit(twice(4) === 8 ? 0 : 1);" \
		>tests.php &&
	commit_all && fix --test "php tests.php" >../out && changes "    \$y = \$x * 2;"
'

check 'a distribution of Perl, tested by prove' '
	mkdir -p perl/lib perl/t && cd perl && git init -q &&
	cat >lib/Cart.pm <<-\EOF &&
	package Cart;
	use strict;
	use warnings;

	=head1 NAME

	Cart - what is in a cart (and what is not)

	=cut

	sub new { return bless { lines => [] }, shift }

	sub add {
	    my ($self, $name, $price) = @_;
	    push @{ $self->{lines} }, { name => $name, price => $price };
	    return $self;
	}

	sub has {
	    my ($self, $name) = @_;
	    return scalar grep { $_->{name} == $name } @{ $self->{lines} };
	}

	1;

	__END__

	$self->{never} == read;
	EOF
	cat >t/cart.t <<-\EOF &&
	use strict;
	use Test::More;
	use Cart;
	my $cart = Cart->new->add(pear => 30)->add(apple => 20);
	ok($cart->has("pear"), "a pear");
	ok(!$cart->has("plum"), "no plum");
	done_testing;
	EOF
	commit_all && fix >../out && grep "tests       prove -l" ../out &&
	grep "t/cart.t > no plum" ../out &&
	changes "    return scalar grep { \$_->{name} eq \$name } @{ \$self->{lines} };" &&
	passes_in_clone "prove -l >/dev/null"
'

check 'a brace of Perl that is missing' '
	mkdir -p perl-end/lib perl-end/t && cd perl-end && git init -q &&
	cat >lib/Sign.pm <<-\EOF &&
	package Sign;
	use strict;

	sub of {
	    my ($x) = @_;
	    if ($x < 0) {
	        return -1;
	    return $x > 0 ? 1 : 0;
	}

	1;
	EOF
	printf "%s\n" "use Test::More tests => 3;" "use Sign;" "is(Sign::of(-2), -1);" \
		"is(Sign::of(0), 0);" \
		"is(Sign::of(5), 1);" >t/sign.t &&
	commit_all && fix >../out && passes_in_clone "prove -l >/dev/null"
'

test_done
