"""What is there."""
import asyncio
import contextlib
import enum

from shop.prices import LIMIT, Line


class Level(enum.Enum):
    EMPTY = 0
    LOW = 3
    FULL = 10

    @classmethod
    def of(cls, count):
        if count <= cls.EMPTY.value:
            return cls.EMPTY
        return cls.LOW if count < cls.FULL.value else cls.FULL


def logged(function):
    calls = []

    def wrapper(*arguments):
        calls.append(arguments)
        return function(*arguments)

    wrapper.calls = calls
    return wrapper


def scaled(factor):
    def scale(value):
        return value * factor
    return scale


double = scaled(2)


class Base:
    name = "base"

    def describe(self):
        return self.name + "!"


class Stock(Base):
    name = "stock"
    seen = []

    def __init__(self, counts=None):
        self.counts = dict(counts or {})

    def describe(self):
        return "the " + super().describe()

    def add(self, name, count=1):
        self.counts[name] = self.counts.get(name, 0) + count
        self.seen.append(name)
        return self

    def take(self, name, count):
        have = self.counts.get(name, 0)
        if count >= have:
            raise KeyError(name)
        self.counts[name] = have - count
        return self.counts[name]

    @logged
    def level(self, name):
        return Level.of(self.counts.get(name, 0))

    def __iter__(self):
        for name in sorted(self.counts):
            if self.counts[name] > 0:
                yield name

    @contextlib.contextmanager
    def reserved(self, name):
        self.counts[name] -= 1
        try:
            yield self.counts[name]
        finally:
            self.counts[name] += 1


async def count_slowly(stock):
    n = 0
    for _ in stock:
        await asyncio.sleep(0)
        n += 1
    return n


def affordable(lines):
    return [line.name for line in lines if line.cost <= LIMIT and not Line.is_free(line.price)]
