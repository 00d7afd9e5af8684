"""Ways in which people break Python: wrong values and wrong calls."""
import ast
import re

from inject_kinds import Kinds
from source_python import FUNCTIONS

EXCEPTIONS = {
    "ValueError": "TypeError", "TypeError": "ValueError", "KeyError": "IndexError",
    "IndexError": "KeyError", "AttributeError": "KeyError", "OSError": "ValueError",
    "StopIteration": "IndexError", "RuntimeError": "ValueError"
}
METHODS = {
    "append": "extend", "extend": "append", "add": "update", "update": "setdefault", "get": "pop",
    "pop": "get", "strip": "rstrip", "lstrip": "rstrip", "rstrip": "lstrip", "split": "rsplit",
    "rsplit": "split", "find": "rfind", "rfind": "find", "index": "find", "keys": "values",
    "values": "keys", "items": "values", "lower": "upper", "upper": "lower",
    "startswith": "endswith", "endswith": "startswith", "match": "search", "search": "match",
    "popleft": "pop", "discard": "add", "remove": "discard", "title": "capitalize",
    "capitalize": "title", "union": "intersection", "group": "groups", "setdefault": "get",
    "insert": "append", "partition": "rpartition"
}
BUILTINS = {
    "min": "max", "max": "min", "any": "all", "all": "any", "isinstance": "issubclass",
    "type": "id", "list": "set", "tuple": "list", "getattr": "hasattr", "filter": "map",
    "round": "int", "repr": "str", "str": "repr"
}
CONVERSIONS = {"int", "str", "float", "bool", "bytes", "Decimal", "repr"}
COPIES = {"list", "dict", "set", "tuple", "copy", "deepcopy"}
ARRANGEMENTS = {"sorted", "reversed", "iter", "enumerate", "len", "abs", "round"}
CLEANERS = {
    "strip", "lstrip", "rstrip", "lower", "upper", "copy", "casefold", "title", "sort", "reverse"
}
ARITHMETIC = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "//", ast.FloorDiv: "/", ast.Mod: "//"
}
kind = Kinds()


def called(node):
    """The name of the function or method that is called."""
    return getattr(node.func, "id", None) or getattr(node.func, "attr", "")


# --- values ---

def roles(function):
    """The uses of each local variable of a function: they stand for its type."""
    arguments = function.args.args + function.args.kwonlyargs
    found = {argument.arg: set() for argument in arguments if argument.arg not in ("self", "cls")}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.setdefault(node.id, set())
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and node.id in found and isinstance(node.ctx, ast.Load):
            field = next(name for name, value in ast.iter_fields(node.parent)
                         if value is node or isinstance(value, list) and node in value)
            side = isinstance(node.parent, (ast.BinOp, ast.Compare, ast.BoolOp))
            found[node.id].add((type(node.parent).__name__, "side" if side else field))
    return found


@kind("wrong variable")
def wrong_variable(source):
    for node in source.nodes(ast.Name):
        found = roles(node.function)
        if not isinstance(node.ctx, ast.Load) or node.id not in found:
            continue
        for other in sorted(found):
            if other != node.id and found[other] & found[node.id]:
                yield source.put(node, other)


@kind("wrong value returned")
def wrong_return(source):
    for node in source.nodes(ast.Return):
        if node.value is None or isinstance(node.value, ast.Constant):
            continue
        for other in sorted(roles(node.function)):
            if other != source.code(node.value):
                yield source.put(node.value, other)


@kind("wrong default argument")
def wrong_default(source):
    for node in (node for node in ast.walk(source.tree) if isinstance(node, FUNCTIONS)):
        for default in filter(None, node.args.defaults + node.args.kw_defaults):
            if isinstance(default, ast.Constant):
                yield source.put(default, altered(default.value))


def altered(value):
    """Another constant of the same type that somebody could have meant."""
    if value is None:
        return "False"
    if isinstance(value, bool):
        return str(not value)
    if isinstance(value, (int, float)):
        return repr(value + 1)
    if isinstance(value, (str, bytes)):
        blank = " " if isinstance(value, str) else b" "
        return repr(value[:-1] if len(value) > 1 else value * 2 or blank)
    return "None"


@kind("wrong constant")
def wrong_constant(source):
    for node in source.nodes(ast.Constant):
        if not isinstance(
                node.parent,
            (ast.Expr, ast.JoinedStr, ast.FormattedValue)) and node.lineno == node.end_lineno:
            yield source.put(node, altered(node.value))


@kind("wrong arithmetic")
def wrong_arithmetic(source):
    for node in source.nodes(ast.BinOp):
        place = source.between(node.left, node.right)
        if type(node.op) in ARITHMETIC and place and not isinstance(node.left, ast.Constant):
            yield [(*place, ARITHMETIC[type(node.op)])]


@kind("missing plus or minus one")
def missing_one(source):
    for node in source.nodes(ast.BinOp):
        if isinstance(node.op, (ast.Add, ast.Sub)) and isinstance(
                node.right, ast.Constant) and node.right.value == 1:
            yield source.put(node, source.code(node.left))


@kind("wrong loop bound")
def wrong_bound(source):
    for node in source.nodes(ast.Call):
        if called(node) == "range" and node.args:
            end = node.args[min(1, len(node.args) - 1)]
            yield source.put(end, f"{source.code(end)} - 1")
            yield source.put(node.args[0],
                             f"1, {source.code(node.args[0])}" if len(node.args) == 1 else "0")
        if called(node) == "enumerate" and len(node.args) == 2:
            yield [(source.end(node.args[0]), source.end(node.args[1]), "")]


@kind("off-by-one slice")
def wrong_slice(source):
    for node in source.nodes(ast.Slice):
        for bound in filter(None, (node.lower, node.upper)):
            yield source.put(bound, f"{source.code(bound)} + 1")
            yield source.put(bound, "")


@kind("wrong key")
def wrong_key(source):
    keys = {
        source.code(node.slice)
        for node in source.nodes(ast.Subscript) if isinstance(node.slice, ast.Constant)
    }
    for node in source.nodes(ast.Subscript):
        if source.code(node.slice) in keys:
            for key in sorted(keys - {source.code(node.slice)}):
                yield source.put(node.slice, key)


@kind("forgotten member")
def forgotten_member(source):
    for node in source.nodes(ast.Tuple, ast.List, ast.Set):
        if isinstance(node.ctx if hasattr(node, "ctx") else None, ast.Store) or len(node.elts) < 3:
            continue
        for first, second in zip(node.elts, node.elts[1:]):
            yield [(source.start(first), source.start(second), "")]


@kind("wrong regular expression")
def wrong_expression(source):
    """Module-level expressions count: they are what functions match with."""
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.Call) or not node.args or not isinstance(
                node.args[0], ast.Constant):
            continue
        if isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "re":
            text = source.code(node.args[0])
            for wrong, right in (("+", "*"), (r"\d", r"\w"), ("^", ""), ("$", ""), ("?", ""),
                                 ("*", "+"), (r"\s", " ")):
                if wrong in text[2:]:
                    yield source.put(node.args[0], text[:2] + text[2:].replace(wrong, right, 1))


@kind("wrong format")
def wrong_format(source):
    for node in source.nodes(ast.Constant, ast.JoinedStr):
        text = source.code(node)
        if text.startswith(("'", '"', "f'", 'f"')) and node.lineno == node.end_lineno:
            for place in re.finditer(
                    r"%0?\d*\.?\d+(?=[dfsx])|(?<=\{):[^{}]+(?=\})|(?<=\w):[^{}' "
                    r"]+(?=\})|(?<=\w)!r(?=\})",
                    text):
                bare = "%" if place.group().startswith("%") else ""
                yield source.put(node, text[:place.start()] + bare + text[place.end():])


# --- calls ---

@kind("wrong method")
def wrong_method(source):
    for node in source.nodes(ast.Call):
        name = called(node)
        if isinstance(node.func, ast.Attribute) and name in METHODS:
            yield [(source.end(node.func) - len(name), source.end(node.func), METHODS[name])]
        elif isinstance(node.func, ast.Name) and name in BUILTINS:
            yield source.put(node.func, BUILTINS[name])


@kind("wrong order of arguments")
def wrong_arguments(source):
    for node in source.nodes(ast.Call):
        for first, second in zip(node.args, node.args[1:]):
            if not isinstance(second, ast.Starred) and source.code(first) != source.code(second):
                yield source.put(first, source.code(second)) + source.put(
                    second, source.code(first))


@kind("forgotten argument")
def forgotten_argument(source):
    for node in source.nodes(ast.Call):
        arguments = [*node.args, *(keyword.value for keyword in node.keywords if keyword.arg)]
        if len(arguments) > 1:
            yield [(source.end(arguments[-2]), source.end(arguments[-1]), "")]


def unwrapped(source, names):
    for node in source.nodes(ast.Call):
        if called(node) in names and len(node.args) == 1 and not node.keywords and not isinstance(
                node.args[0], ast.GeneratorExp):
            yield source.put(node, source.code(node.args[0]))


@kind("missing conversion")
def missing_conversion(source):
    yield from unwrapped(source, CONVERSIONS)


@kind("missing copy")
def missing_copy(source):
    yield from unwrapped(source, COPIES)
    for node in source.nodes(ast.Subscript):
        if source.code(node.slice) == ":":
            yield source.put(node, source.code(node.value))


@kind("missing call around a value")
def missing_call(source):
    yield from unwrapped(source, ARRANGEMENTS)


@kind("missing cleaning of a value")
def missing_cleaning(source):
    for node in source.nodes(ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in CLEANERS:
            yield source.put(node, source.code(node.func.value))


@kind("forgotten await")
def forgotten_await(source):
    for node in source.nodes(ast.Await):
        yield source.put(node, source.code(node.value))


@kind("wrong exception type")
def wrong_exception(source):
    for node in source.nodes(ast.Name):
        if node.id in EXCEPTIONS and not isinstance(node.parent, ast.arg):
            yield source.put(node, EXCEPTIONS[node.id])
