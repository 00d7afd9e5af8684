#!/bin/sh
test_description='what changed last is taken back first'
. "$(dirname "$0")/lib.sh"

# shop DIR: green, with three commits.
shop() {
	mkdir "$1" && cd "$1" && git init -q &&
		cat >shop.py <<-\EOF &&
		def price(item, count):
		    if count > 3:
		        return item * count - 1
		    return item * count


		def label(name, count):
		    return name + " x " + str(count)
		EOF
		cat >test_shop.py <<-\EOF &&
		import unittest
		import shop


		class Shop(unittest.TestCase):
		    def test_price(self):
		        self.assertEqual(shop.price(2, 4), 7)
		        self.assertEqual(shop.price(3, 4), 11)

		    def test_few(self):
		        self.assertEqual(shop.price(2, 3), 6)

		    def test_label(self):
		        self.assertEqual(shop.label("tea", 2), "tea x 2")
		EOF
		commit_all first && echo "# a shop" >>shop.py && commit_all second
}

# change REF: what the only run's branch changes there.
change() {
	git for-each-ref --format='%(refname)' 'refs/heads/rondo/*' | xargs git diff "$1"
}

check 'an uncommitted edit is taken back, and that is said' '
	shop edited && sed -i "s/item \* count - 1/item * (count - 1)/" shop.py && fix >../out &&
	change main >../diff && test ! -s ../diff &&
	grep "^coder *shop.py:3  take back 1 uncommitted line$" ../out &&
	grep "^! look at   the change that it takes back" ../out &&
	grep "\"confidence\":.\"revert\"" "$XDG_STATE_HOME"/rondo/runs/*/report.json
'

# A commit that renames, adds what a test needs, and breaks something.
broken() {
	shop "$1" && sed -i "s/count/number/g; s/ x /, /; s/number > 3/number >= 3/" shop.py &&
		sed -i "s/tea x 2/tea, 2/" test_shop.py && commit_all "shop: clearer names" &&
		echo "# more" >>shop.py && commit_all "shop: a note"
}

check 'of a commit only what broke the tests is taken back, and the commit is named' '
	broken committed && name=$(git rev-parse --short=7 HEAD~1) && fix >../out &&
	change main >../diff && grep "^+    if number > 3:" ../diff &&
	test "$(grep -c "^+ " ../diff)" = 1 &&
	grep "take back 1 line of $name .shop: clearer names.$" ../out
'

check LONG 'what --since has is not taken back' '
	cd committed && git branch -q -D "$(git branch --format="%(refname:short)" --list "rondo/*")" &&
	fix --since HEAD~1 >../out && ! grep "take back" ../out &&
	change main | grep "^+    if number > 3:"
'

check 'a revision that is none is told before anything runs' '
	cd committed && test_expect_code 2 fix --since v9 2>../err &&
	grep "^rondo: .*since: .v9. names no commit" ../err
'

test_done
