"""What things cost."""
import functools
from dataclasses import dataclass, field
from typing import List

LIMIT = 100
RATES = {"food": 7, "book": 7, "other": 19}


def percent(amount, rate):
    return amount * rate / 100


TAXES = {name: percent(200, rate) for name, rate in RATES.items()}


def round_price(amount, digits=2):
    factor = 10 ** digits
    return int(amount * factor + 0.5) / factor


@functools.lru_cache(maxsize=None)
def shipping(weight):
    if weight <= 0:
        return 0
    if weight < 5:
        return 4
    return 4 + shipping(weight - 5)


@dataclass
class Line:
    name: str
    price: float
    count: int = 1
    kind: str = "other"
    notes: List[str] = field(default_factory=list)

    @property
    def cost(self):
        return self.price * self.count

    @classmethod
    def parse(cls, text):
        name, price, *rest = text.split(":")
        count = int(rest[0]) if rest else 1
        return cls(name.strip(), float(price), count)

    @staticmethod
    def is_free(price):
        return price <= 0

    def tax(self):
        return round_price(percent(self.cost, RATES[self.kind]))


def total(lines, discount=0):
    amount = sum(line.cost for line in lines)
    if amount > LIMIT:
        amount -= percent(amount, 10)
    return round_price(amount + discount)
