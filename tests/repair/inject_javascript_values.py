"""Ways in which people break JavaScript: wrong values and wrong calls."""
import re

from inject_kinds import Kinds
from source_javascript import KEYWORDS, LOOPS

METHODS = {
    "push": "unshift", "unshift": "push", "pop": "shift", "shift": "pop", "slice": "splice",
    "splice": "slice", "concat": "push", "indexOf": "lastIndexOf", "lastIndexOf": "indexOf",
    "charAt": "charCodeAt", "charCodeAt": "charAt", "forEach": "map", "map": "forEach",
    "filter": "map", "some": "every", "every": "some", "find": "filter", "substr": "substring",
    "substring": "substr", "toLowerCase": "toUpperCase", "toUpperCase": "toLowerCase",
    "keys": "values", "floor": "ceil", "ceil": "floor", "min": "max", "max": "min", "test": "exec",
    "exec": "test", "replace": "split", "call": "apply", "apply": "call", "startsWith": "endsWith",
    "includes": "indexOf", "parseInt": "parseFloat", "parseFloat": "parseInt",
    "isArray": "isExtensible", "hasOwnProperty": "propertyIsEnumerable",
    "encodeURI": "encodeURIComponent", "encodeURIComponent": "encodeURI", "get": "set",
    "join": "concat"
}
CONVERSIONS = {"String", "Number", "Boolean", "parseInt", "parseFloat", "BigInt"}
CLEANERS = {"trim", "toLowerCase", "toUpperCase", "reverse", "sort", "toString"}
EXCEPTIONS = {
    "TypeError": "Error", "RangeError": "TypeError", "SyntaxError": "Error",
    "ReferenceError": "TypeError", "Error": "TypeError"
}
BOUNDARIES = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "/"}
UPDATES = {"+=": "=", "-=": "+=", "++": "--", "--": "++", "|=": "="}
EXPRESSIONS = {
    r"g$": "", r"\+": "*", r"\\d": r"\\w", r"(?<=/)\^": "", r"\$(?=/)": "", r"\?": "", r"\*": "+"
}
kind = Kinds()


def is_loop(block):
    return block.of is not None and block.of.kind in LOOPS


def replaced(source, table):
    for at in source.inside:
        if source.tokens[at].kind == "sign" and source.word(at) in table:
            yield source.put(at, at, table[source.word(at)])


# --- values ---

def is_variable(source, at):
    """A name that is read: no property, no key, no declaration, no target."""
    word, before, after = source.word(at), source.word(at - 1), source.word(at + 1)
    if source.tokens[at].kind != "name" or word in KEYWORDS or before in (".", "?.", "var", "let",
                                                                          "const", "function"):
        return False
    return after not in ("=", "=>", "+=", "-=") and not (after == ":" and before in ("{", ","))


def role(source, at):
    before, after = source.word(at - 1), source.word(at + 1)
    if after in (".", "[", "("):
        return after
    for sign in (before, after):
        if sign in BOUNDARIES or sign in ("===", "!==", "==", "!="):
            return "compared"
        if sign in ARITHMETIC:
            return "reckoned"
    return before if before in ("return", "=", "[", "!") else "given"


def variables(source):
    """For each body of a function: its own names, and the uses of each."""
    found = {}
    for body in source.bodies:
        names, close = found.setdefault(body, {}), body - 1
        if source.word(close) == ")":
            for first, last in source.arguments(source.tokens[close].match):
                names[source.word(first)] = set()
    for at in source.inside:
        if source.word(at - 1) in ("var", "let", "const") and source.tokens[at].kind == "name":
            found[source.tokens[at].function].setdefault(source.word(at), set())
    for at in source.inside:
        names = found[source.tokens[at].function]
        if source.word(at) in names and is_variable(source, at):
            names[source.word(at)].add(role(source, at))
    return found


@kind("wrong variable")
def wrong_variable(source):
    found = variables(source)
    for at in source.inside:
        names = found[source.tokens[at].function]
        if source.word(at) in names and is_variable(source, at):
            for other in sorted(names):
                if other != source.word(at) and names[other] & names[source.word(at)]:
                    yield source.put(at, at, other)


@kind("wrong value returned")
def wrong_return(source):
    found = variables(source)
    for block in source.blocks:
        for statement in block.statements:
            last = statement.last - (source.word(statement.last) == ";")
            if statement.kind == "return" and last > statement.first:
                for other in sorted(found[source.tokens[statement.first].function]):
                    if other != source.code(statement.first + 1, last):
                        yield source.put(statement.first + 1, last, other)


def altered(token):
    """Another constant of the same type that somebody could have meant; None if there is none."""
    if token.kind == "number" and token.text.isdigit():
        return str(int(token.text) + 1)
    if token.kind == "string":
        quote, inner = token.text[0], token.text[1:-1]
        return quote + (inner[:-1]
                        if len(inner) > 1 and inner[-2] != "\\" else inner * 2 or " ") + quote
    return {"true": "false", "false": "true", "null": "undefined",
            "undefined": "null"}.get(token.text)


@kind("wrong constant")
def wrong_constant(source):
    for at in source.inside:
        if altered(source.tokens[at]) and source.word(at - 1) != "." and source.word(at + 1) != ":":
            yield source.put(at, at, altered(source.tokens[at]))


@kind("wrong default")
def wrong_default(source):
    for at in source.inside:
        if source.word(at) in ("||", "??") and altered(source.tokens[at + 1]):
            yield source.put(at + 1, at + 1, altered(source.tokens[at + 1]))
        elif source.word(at) in ("||", "??") and source.word(at + 1) in ("{", "["):
            yield source.put(at + 1, source.tokens[at + 1].match,
                             "{}" if source.word(at + 1) == "[" else "[]")


@kind("wrong arithmetic")
def wrong_arithmetic(source):
    for at in source.inside:
        before = source.word(at - 1)
        is_value = source.tokens[at - 1].kind in (
            "name", "number") and before not in KEYWORDS or before in (")", "]")
        if is_value and source.tokens[at].kind == "sign" and source.word(at) in ARITHMETIC:
            yield source.put(at, at, ARITHMETIC[source.word(at)])
    yield from replaced(source, UPDATES)


@kind("missing plus or minus one")
def missing_one(source):
    for at in source.inside:
        is_sign = source.word(at - 1) in ("(", ",", "=", "return", "[", "?", ":")
        if source.word(at) in ("+", "-") and source.word(at + 1) == "1" and not is_sign:
            yield [(source.tokens[at - 1].end, source.tokens[at + 1].end, "")]


@kind("wrong loop bound")
def wrong_bound(source):
    for block in filter(is_loop, source.blocks):
        for at in range(*block.of.condition or (0, 0)):
            if source.word(at) == "=" and source.word(at + 1) == "0":
                yield source.put(at + 1, at + 1, "1")
            if source.word(at) == "length" and source.word(at + 1) in (";", ")"):
                yield source.put(at, at, "length - 1")


@kind("off-by-one slice")
def wrong_slice(source):
    for name, opening in source.calls():
        if source.word(name) in ("slice", "substr", "substring", "splice"):
            for first, last in source.arguments(opening):
                yield source.put(first, last, f"{source.code(first, last)} + 1")


@kind("wrong key")
def wrong_key(source):
    """Another property that the same object has in this text."""
    seen = {}
    for at in source.inside:
        if source.word(at) == "." and source.tokens[at -
                                                    1].kind == "name" and source.word(at +
                                                                                      2) != "(":
            seen.setdefault(source.word(at - 1), set()).add(source.word(at + 1))
    for at in source.inside:
        if source.word(at) == "." and source.tokens[at -
                                                    1].kind == "name" and source.word(at +
                                                                                      2) != "(":
            for other in sorted(seen[source.word(at - 1)] - {source.word(at + 1)}):
                yield source.put(at + 1, at + 1, other)


@kind("forgotten member")
def forgotten_member(source):
    for at, token in enumerate(source.tokens):
        members = source.arguments(at) if token.text in (
            "[", "{") and token.match and token.match > at else []
        if token.text == "[" and len(members) > 2 or token.text == "{" and len(
                members) > 1 and source.word(at + 2) == ":":
            for first, second in zip(members, members[1:]):
                yield [(source.tokens[first[0]].start, source.tokens[second[0]].start, "")]


@kind("wrong regular expression")
def wrong_expression(source):
    for at, token in enumerate(source.tokens):
        if token.kind == "regex":
            for part, other in EXPRESSIONS.items():
                yield source.put(at, at, re.sub(part, other, token.text, count=1))


# --- calls ---

@kind("wrong method")
def wrong_method(source):
    for name, _ in source.calls():
        if source.word(name) in METHODS:
            yield source.put(name, name, METHODS[source.word(name)])


@kind("wrong order of arguments")
def wrong_arguments(source):
    for _, opening in source.calls():
        arguments = source.arguments(opening)
        for first, second in zip(arguments, arguments[1:]):
            if source.word(first[0]) != "function":
                yield source.put(*first, source.code(*second)) + source.put(
                    *second, source.code(*first))


@kind("forgotten argument")
def forgotten_argument(source):
    for _, opening in source.calls():
        arguments = source.arguments(opening)
        if len(arguments) > 1:
            yield [(source.tokens[arguments[-2][1]].end, source.tokens[arguments[-1][1]].end, "")]


@kind("missing conversion")
def missing_conversion(source):
    for name, opening in source.calls():
        arguments = source.arguments(opening)
        if source.word(name) in CONVERSIONS and arguments and source.word(name - 1) != ".":
            yield source.put(name, source.tokens[opening].match, source.code(*arguments[0]))


@kind("missing copy")
def missing_copy(source):
    for name, opening in source.calls():
        arguments, close = source.arguments(opening), source.tokens[opening].match
        if source.word(name) in ("slice",
                                 "concat") and not arguments and source.word(name - 1) == ".":
            yield [(source.tokens[name - 1].start, source.tokens[close].end, "")]
        if source.code(source.callee(name), name) in ("Object.assign", "Array.from") and arguments:
            yield source.put(source.callee(name), close, source.code(*arguments[-1]))


@kind("missing call around a value")
def missing_call(source):
    for name, opening in source.calls():
        arguments = source.arguments(opening)
        if len(arguments) == 1 and source.word(
                arguments[0][0]) != "function" and source.word(source.callee(name) - 1) != "new":
            yield source.put(source.callee(name), source.tokens[opening].match,
                             source.code(*arguments[0]))


@kind("missing cleaning of a value")
def missing_cleaning(source):
    for name, opening in source.calls():
        if source.word(name) in CLEANERS and source.word(
                name - 1) == "." and source.tokens[opening].match == opening + 1:
            yield [(source.tokens[name - 1].start, source.tokens[opening + 1].end, "")]


@kind("forgotten await")
def forgotten_await(source):
    for at in source.inside:
        if source.word(at) == "await":
            yield [(source.tokens[at].start, source.tokens[at + 1].start, "")]


@kind("wrong exception type")
def wrong_exception(source):
    for at in source.inside:
        if source.word(at) in EXCEPTIONS and source.word(at - 1) == "new":
            yield source.put(at, at, EXCEPTIONS[source.word(at)])
