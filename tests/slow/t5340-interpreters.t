#!/bin/sh
test_description='rondo fix in languages that are interpreted: Lua, PHP'
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
	commit_all && fix --test "lua test.lua" >../out && git checkout -q "$(the_branch)" && lua test.lua
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
	commit_all && fix --test "php tests.php" >../out && changes "        \$names = array_keys(\$this->lines);"
'

check PHP 'a semicolon of PHP that is missing' '
	mkdir php-end && cd php-end && git init -q &&
	printf "%s\n" "<?php" "function twice(\$x)" "{" "    \$y = \$x * 2" "    return \$y;" "}" >twice.php &&
	printf "%s\n" "<?php" "require __DIR__ . \"/twice.php\";" "exit(twice(4) === 8 ? 0 : 1);" >tests.php &&
	commit_all && fix --test "php tests.php" >../out && changes "    \$y = \$x * 2;"
'

test_done
