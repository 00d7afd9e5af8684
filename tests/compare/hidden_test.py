"""What a right fix of the demo project does and no tool is shown."""
from shop.cart import Cart


def test_total_with_another_customer_discount():
    cart = Cart(customer_percent=40)
    cart.add("tea", 500, 3)
    assert cart.total() == 900
