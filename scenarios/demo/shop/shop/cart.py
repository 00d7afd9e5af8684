"""A cart: lines of a name, a price and a quantity."""

from shop.discounts import apply_discount, bulk_percent
from shop.money import format_amount


class Line:
    def __init__(self, name, price, quantity):
        self.name = name
        self.price = price
        self.quantity = quantity

    def total(self):
        percent = bulk_percent(self.quantity)
        return apply_discount(self.price * self.quantity, percent)


class Cart:
    def __init__(self, customer_percent=0):
        self.customer_percent = customer_percent
        self.lines = []

    def add(self, name, price, quantity=1):
        for line in self.lines:
            if line.name == name and line.price == price:
                line.quantity += quantity
                return line
        line = Line(name, price, quantity)
        self.lines.append(line)
        return line

    def remove(self, name):
        self.lines = [line for line in self.lines if line.name != name]

    def count(self):
        return sum(line.quantity for line in self.lines)

    def subtotal(self):
        return sum(line.total() for line in self.lines)

    def total(self):
        subtotal = self.subtotal()
        if not self.customer_percent:
            return subtotal
        return apply_discount(self.customer_percent, subtotal)

    def receipt(self):
        rows = [f"{line.quantity} x {line.name}  {format_amount(line.total())}"
                for line in self.lines]
        rows.append(f"total  {format_amount(self.total())}")
        return "\n".join(rows)
