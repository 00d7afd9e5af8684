"""What is on the shelf."""


class OutOfStock(Exception):
    """More was wanted than there is."""


class Stock:
    def __init__(self, items):
        self.items = dict(items)

    def available(self, name):
        return self.items.get(name, 0)

    def take(self, name, quantity):
        if quantity > self.available(name):
            raise OutOfStock(f"{quantity} x {name}, {self.available(name)} left")
        self.items[name] -= quantity
