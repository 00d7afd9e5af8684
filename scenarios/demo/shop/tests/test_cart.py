from shop.cart import Cart


def filled(customer_percent=0):
    cart = Cart(customer_percent)
    cart.add("tea", 450, 2)
    cart.add("cup", 100)
    return cart


def test_empty_cart_costs_nothing():
    assert Cart().total() == 0


def test_count_sums_quantities():
    assert filled().count() == 3


def test_same_thing_twice_is_one_line():
    cart = filled()
    cart.add("tea", 450, 3)
    assert len(cart.lines) == 2
    assert cart.count() == 6


def test_another_price_is_another_line():
    cart = filled()
    cart.add("tea", 400)
    assert len(cart.lines) == 3


def test_remove():
    cart = filled()
    cart.remove("tea")
    assert cart.count() == 1


def test_total_without_discount():
    assert filled().total() == 1000


def test_total_with_bulk():
    cart = Cart()
    cart.add("nail", 10, 20)
    assert cart.total() == 190


def test_total_with_customer_discount():
    assert filled(customer_percent=10).total() == 900


def test_receipt():
    assert filled().receipt() == "2 x tea  9.00\n1 x cup  1.00\ntotal  10.00"


def test_receipt_of_a_customer_with_discount():
    assert filled(customer_percent=25).receipt().endswith("total  7.50")
