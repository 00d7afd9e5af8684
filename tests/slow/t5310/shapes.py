# Kinds of code that change. For each the runner has to find that the right change passes and a
# wrong one does not, whichever way it takes, with the tests of another module that has imported the
# names. Where only the body of a function changes that never ran before, nothing is loaded again.
import os
import sys

from cases import project
from warm import Warm

BROKEN = '''import asyncio
import contextlib
import functools
from dataclasses import dataclass, field

with open("loaded", "a") as log:
    log.write(".")

CONSTANT = 1
TABLE = {"a": 1}


def doubled(function):
    @functools.wraps(function)
    def wrapper(x):
        return 3 * function(x)
    return wrapper


def signature(a, b=1):
    return a + b


@doubled
def decorated(x):
    return x


def undecorated(x):
    return x


@functools.lru_cache(maxsize=None)
def cached(x):
    return x + 1


cached(5)


@functools.lru_cache(maxsize=None)
def cached_later(x):
    return x + 1


def generator(n):
    for i in range(n):
        yield i + 1


def plain(n):
    return [n]


def adder(n):
    def add(x):
        return x + n + 1
    return add


add_two = adder(2)


async def coroutine(x):
    await asyncio.sleep(0)
    return x + 1


@dataclass
class Data:
    name: str = "none"
    parts: list = field(default_factory=lambda: [1])

    def full(self):
        return self.name + "."


class Low:
    def level(self):
        return "low"


class High:
    def level(self):
        return "high"


class Child(Low):
    kind = "child"

    def __init__(self):
        self.__secret = 1

    @property
    def secret(self):
        return self.__secret + 1

    @classmethod
    def made(cls):
        return cls.kind + "?"

    @staticmethod
    def fixed(x):
        return x - 1

    def up(self):
        return super().level() + "!"

    class Inner:
        class Innermost:
            def deep(self, x):
                return x * 3


@contextlib.contextmanager
def opened(log):
    log.append("in")
    yield log
    log.append("exit")


def documented():
    """Wrong."""
    return 1


def typed(x: int = 1) -> "list[int]":
    return [x, x]


outer = lambda x: x + 1

if CONSTANT:
    def conditional():
        return 1


def é(x):
    return "ä" + x


def raises(x):
    try:
        return 10 // x
    except ValueError:
        return 0
'''

# Each: (what is wrong, put right, a change that leaves it wrong), then its test.
SHAPES = [
    ("signature", "def signature(a, b=1)", "def signature(a, b=2)", "def signature(a, b=3)",
     "signature(1) == 3"),
    ("argument", "def signature(a, b=1):\n    return a + b",
     "def signature(a, b=1, *, c=2):\n    return a + b + c",
     "def signature(a, c, b=1):\n    return a", "signature(1, 1) == 4"),
    ("decorator", "@doubled\ndef decorated", "def decorated", "@doubled\n@doubled\ndef decorated",
     "decorated(2) == 2"),
    ("decorates", "return 3 * function(x)", "return 2 * function(x)", "return 4 * function(x)",
     "decorated(2) == 4"),
    ("undecorated", "def undecorated(x)", "@doubled\ndef undecorated(x)",
     "@functools.lru_cache()\ndef undecorated(x)", "undecorated(1) == 3"),
    ("constant", "CONSTANT = 1", "CONSTANT = 2", "CONSTANT = 3", "CONSTANT == 2"),
    ("table", 'TABLE = {"a": 1}', 'TABLE = {"a": 2}', 'TABLE = {}', 'TABLE.get("a") == 2'),
    ("cached", "def cached(x):\n    return x + 1", "def cached(x):\n    return x + 2",
     "def cached(x):\n    return x", "cached(5) == 7"),
    ("cached_later", "def cached_later(x):\n    return x + 1",
     "def cached_later(x):\n    return x + 2", "def cached_later(x):\n    return x",
     "cached_later(5) == 7"),
    ("generator", "yield i + 1", "yield i", "yield", "list(generator(3)) == [0, 1, 2]"),
    ("becomes_generator", "return [n]", "yield n", "return n",
     "next(iter(plain(4))) == 4 and not isinstance(plain(4), list)"),
    ("closure", "return x + n + 1", "return x + n", "return x + n + 2", "add_two(1) == 3"),
    ("coroutine", "sleep(0)\n    return x + 1", "sleep(0)\n    return x", "sleep(0)\n    return",
     "asyncio.run(coroutine(4)) == 4"),
    ("default_of_field", 'name: str = "none"', 'name: str = "some"', 'name: str = None',
     'Data().name == "some"'),
    ("default_factory", "lambda: [1]", "lambda: [2]", "list", "Data().parts == [2]"),
    ("method_of_dataclass", 'return self.name + "."', "return self.name", "return self",
     'Data("x").full() == "x"'),
    ("base", "class Child(Low)", "class Child(High)", "class Child(Low, High)",
     'Child().level() == "high"'),
    ("private", "return self.__secret + 1", "return self.__secret", "return self.secret_",
     "Child().secret == 1"),
    ("classmethod", 'return cls.kind + "?"', "return cls.kind", "return cls",
     'Child.made() == "child"'),
    ("staticmethod", "return x - 1", "return x", "return x - 2", "Child.fixed(2) == 2"),
    ("super", 'return super().level() + "!"', "return super().level()", "return super().level",
     'Child().up() == "low"'),
    ("super_goes", 'return super().level() + "!"', 'return "lo" + "w"', "return None",
     'Child().up() == "low"'),
    ("attribute", 'kind = "child"', 'kind = "kid"', 'kind = None', 'str(Child.kind) == "kid"'),
    ("inner", "return x * 3", "return x * 2", "return x * 4",
     "Child.Inner.Innermost().deep(1) == 2"),
    ("context", 'log.append("exit")', 'log.append("out")', "log.clear()",
     'used(opened) == ["in", "out"]'),
    ("documentation", '"""Wrong."""', '"""Right."""', "", 'documented.__doc__ == "Right."'),
    ("annotation", "x: int = 1", "x: str = 1", "x = 1", 'typed.__annotations__.get("x") is str'),
    ("outer_lambda", "outer = lambda x: x + 1", "outer = lambda x: x", "outer = lambda x: None",
     "outer(1) == 1"),
    ("conditional", "def conditional():\n        return 1", "def conditional():\n        return 2",
     "def conditional():\n        pass", "conditional() == 2"),
    ("letters", 'return "ä" + x', 'return "ö" + x', 'return "ü" + x', 'é("") == "ö"'),
    ("exception", "except ValueError:", "except ZeroDivisionError:", "except TypeError:",
     "raises(0) == 0"),
    ("more_functions", "return [x, x]", "return only(x)\n\n\ndef only(x):\n    return [x]",
     "return only(x)\n\n\nonly = 1", "typed(1) == [1]"),
    ("gone", "def documented():", "def renamed():", "def documente():",
     "__import__('app').renamed() == 1"),
    ("behind", "    return 1\n\n\ndef typed", "    return 2\n\n\ndef typed",
     "    pass\n\n\n\ndef typed", "documented() == 2"),
]
HEAD = '''import asyncio

from app import *


def used(opened):
    log = []
    with opened(log):
        pass
    return log


'''


FAST = {
    "cached_later", "generator", "coroutine", "method_of_dataclass", "private", "classmethod",
    "staticmethod", "super", "inner", "context", "letters", "exception"
}


def shapes():
    tests = HEAD + "".join("def test_%s():\n    assert %s\n\n\n" % (name, check)
                           for name, _, _, _, check in SHAPES)
    project({"app.py": BROKEN, "test_app.py": tests})
    for i in range(0, len(SHAPES), 3):  # so that no test is left out because three others failed
        with Warm("pytest", ["-q"], ["test_app.py::test_" + shape[0] for shape in SHAPES[i:i + 3]],
                  []) as warm:
            assert warm.ready["ready"], warm.ready
            for name, wrong, right, still_wrong, _ in SHAPES[i:i + 3]:
                for change, is_right in ((right, True), (still_wrong, False)):
                    loaded = os.path.getsize("loaded")
                    answer = warm.try_change("app.py", wrong, change)
                    assert (answer["fixed"] > 0) == is_right, (name, change, answer)
                    assert name not in FAST or os.path.getsize(
                        "loaded") == loaded, "%s was loaded again" % name


if __name__ == "__main__":
    globals()[sys.argv[1]]()
