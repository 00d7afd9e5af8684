"""Ways in which people break Python: statements and conditions. inject_python_values.py has values
and calls.

Each finder yields places for its kind, as splices (start, end, replacement) of the text. They are
inside functions, because tests call functions. The kinds are mistakes that people make, such as a
forgotten guard or the wrong one of two variables. They were chosen without regard to what repair
can undo.
"""
import ast

import inject_python_values
from inject_kinds import Kinds
from source_python import FUNCTIONS, Source, is_docstring

FLOW = (ast.Return, ast.Raise, ast.Continue, ast.Break)
LOOPS = (ast.For, ast.While, ast.AsyncFor)
BOUNDARIES = {ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"}
DIRECTIONS = {ast.Lt: ">", ast.LtE: ">=", ast.Gt: "<", ast.GtE: "<="}
NEGATIVES = {ast.NotEq: "==", ast.IsNot: "is", ast.NotIn: "in"}
kind = Kinds()


def is_plain(statement):
    return isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr,
                                  ast.Delete)) and not is_docstring(statement)


# --- statements ---

@kind("deleted statement")
def deleted_statement(source):
    for parent, block in source.blocks:
        for statement in block:
            if is_plain(statement) and not isinstance(parent, LOOPS):
                yield source.drop(statement, block)


@kind("deleted guard")
def deleted_guard(source):
    for _, block in source.blocks:
        for statement in block:
            if isinstance(statement, ast.If) and not statement.orelse and isinstance(
                    statement.body[-1], FLOW):
                yield source.drop(statement, block)


@kind("dropped update in a loop")
def dropped_update(source):
    for parent, block in source.blocks:
        for statement in block:
            if isinstance(parent, LOOPS) and (is_plain(statement)
                                              or isinstance(statement, (ast.Break, ast.Continue))):
                yield source.drop(statement, block)


@kind("forgotten condition")
def forgotten_condition(source):
    """An `if` is removed, and what it guarded is always done."""
    for node in source.nodes(ast.If):
        texts = [source.indented(statement, node.col_offset) for statement in node.body]
        if source.lines(node) and not node.orelse and all(texts) and not isinstance(
                node.body[-1], FLOW):
            yield [(*source.lines(node), "".join(texts))]


@kind("forgotten case")
def forgotten_case(source):
    for node in source.nodes(ast.If):
        last = node.orelse[0] if len(node.orelse) == 1 else None
        if node.orelse and not isinstance(last, ast.If) and all(map(source.lines, node.body)):
            yield [(source.lines(node.body[-1])[1],
                    source.lines(node)[1] if source.lines(node) else source.end(node), "")]
        elif isinstance(last, ast.If) and all(map(
                source.lines, last.body)) and source.code(last).startswith("elif"):
            yield [(source.starts[last.lineno - 1], source.lines(last.body[-1])[1], "")]


@kind("swapped branches")
def swapped_branches(source):
    for node in source.nodes(ast.If):
        then, other = node.body, node.orelse
        if other and not isinstance(other[0], ast.If) and source.lines(then[0]) and source.lines(
                other[0]):
            yield source.put(node.test, f"not ({source.code(node.test)})")
    for node in source.nodes(ast.IfExp):
        yield source.put(node.body, source.code(node.orelse)) + source.put(
            node.orelse, source.code(node.body))


@kind("statement moved into a block")
def moved_into(source):
    for _, block in source.blocks:
        for above, statement in zip(block, block[1:]):
            if not isinstance(above,
                              (ast.If, *LOOPS)) or above.orelse or isinstance(above.body[-1], FLOW):
                continue
            text = source.indented(statement, above.body[-1].col_offset)
            if text and source.lines(above):
                yield [(*source.lines(statement), text)]


@kind("statement moved out of a block")
def moved_out(source):
    for parent, block in source.blocks:
        if not isinstance(parent, (ast.If, ast.With, *LOOPS)) or getattr(parent, "orelse", None):
            continue
        text = source.indented(block[-1], parent.col_offset)
        if text and len(block) > 1 and not isinstance(block[-1], (ast.Break, ast.Continue)):
            yield [(*source.lines(block[-1]), text)]


@kind("wrong order of statements")
def wrong_order(source):
    for _, block in source.blocks:
        for first, second in zip(block, block[1:]):
            lines = source.lines(first), source.lines(second)
            if all(lines) and is_plain(first) and not isinstance(
                    second, FUNCTIONS) and not is_docstring(second):
                texts = [source.text[slice(*at)] for at in lines]
                yield [(*lines[0], texts[1]), (*lines[1], texts[0])]


@kind("early return")
def early_return(source):
    """The return after a loop moves into it."""
    for _, block in source.blocks:
        for loop, statement in zip(block, block[1:]):
            if isinstance(loop, LOOPS) and isinstance(statement, ast.Return) and not loop.orelse:
                text = source.indented(statement, loop.body[0].col_offset)
                if text:
                    yield [(*source.lines(statement), text)]


@kind("forgotten return")
def forgotten_return(source):
    for node in source.nodes(ast.Return):
        if node.value is not None and isinstance(node.value,
                                                 (ast.Call, ast.BoolOp, ast.IfExp, ast.BinOp)):
            yield [(source.start(node), source.start(node.value), "")]


@kind("forgotten self")
def forgotten_self(source):
    for node in source.nodes(ast.Assign, ast.AugAssign):
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if isinstance(target, ast.Attribute) and isinstance(target.value,
                                                            ast.Name) and target.value.id == "self":
            start = "" if isinstance(node, ast.Assign) else f"{target.attr} = 0; "
            yield source.put(target, start + target.attr)


# --- conditions ---

@kind("dropped part of a condition")
def dropped_part(source):
    for node in source.nodes(ast.BoolOp):
        for first, second in zip(node.values, node.values[1:]):
            yield [(source.start(first), source.start(second), "")]
        yield [(source.end(node.values[-2]), source.end(node.values[-1]), "")]


def comparisons(source, table):
    for node in source.nodes(ast.Compare):
        sides = [node.left, *node.comparators]
        for left, operator, right in zip(sides, node.ops, sides[1:]):
            place = source.between(left, right)
            if type(operator) in table and place:
                yield [(*place, table[type(operator)])]


@kind("comparison at its boundary")
def boundary(source):
    yield from comparisons(source, BOUNDARIES)


@kind("comparison the wrong way round")
def direction(source):
    yield from comparisons(source, DIRECTIONS)


@kind("lost negation")
def lost_negation(source):
    yield from comparisons(source, NEGATIVES)
    for node in source.nodes(ast.UnaryOp):
        if isinstance(node.op, ast.Not):
            yield [(source.start(node), source.start(node.operand), "")]


@kind("and for or")
def and_for_or(source):
    for node in source.nodes(ast.BoolOp):
        places = [source.between(*pair) for pair in zip(node.values, node.values[1:])]
        if all(places):
            yield [(*place, "or" if isinstance(node.op, ast.And) else "and") for place in places]


# --- the whole ---

def kinds():
    return [*kind.finders, *inject_python_values.kind.finders]


def compiles(text):
    try:
        compile(text, "injected", "exec", dont_inherit=True)
        return True
    except (SyntaxError, ValueError):
        return False


def find(text):
    source = Source(text)
    yield from kind.find(source)
    yield from inject_python_values.kind.find(source)
