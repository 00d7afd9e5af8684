"""Ways in which people break JavaScript, like inject_python.py. inject_javascript_values.py has
values and calls."""
import subprocess

import inject_javascript_values
from inject_kinds import Kinds
from inject_javascript_values import is_loop, replaced
from source_javascript import LOOPS, Source

FLOW = {"return", "throw", "continue", "break"}
NOT_PLAIN = FLOW | LOOPS | {
    "if", "switch", "try", "function", "class", "async", "{", "var", "let", "const", "with"
}
BOUNDARIES = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
DIRECTIONS = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
NEGATIVES = {"!==": "===", "!=": "=="}
kind = Kinds()


def is_plain(statement):
    return statement.kind not in NOT_PLAIN


# --- statements ---

@kind("deleted statement")
def deleted_statement(source):
    for block in source.blocks:
        for statement in block.statements:
            if is_plain(statement) and not is_loop(block):
                yield source.drop(statement)


@kind("deleted guard")
def deleted_guard(source):
    for block in source.blocks:
        for statement in block.statements:
            body = statement.bodies[0].statements if statement.kind == "if" and len(
                statement.bodies) == 1 else None
            if body and body[-1].kind in FLOW:
                yield source.drop(statement)


@kind("dropped update in a loop")
def dropped_update(source):
    for block in filter(is_loop, source.blocks):
        for statement in block.statements:
            if is_plain(statement) or statement.kind in ("break", "continue"):
                yield source.drop(statement)


@kind("forgotten break")
def forgotten_break(source):
    for block in source.blocks:
        for statement in block.statements:
            if statement.kind == "break" and block.of and block.of.kind == "switch":
                yield source.drop(statement)


@kind("forgotten condition")
def forgotten_condition(source):
    """An `if` is removed, and what it guarded is always done."""
    for block in source.blocks:
        for statement in block.statements:
            body = statement.bodies[0] if statement.kind == "if" and len(
                statement.bodies) == 1 else None
            if body and body.statements and body.statements[-1].kind not in FLOW:
                yield source.put(statement.first, statement.condition[1], "")


@kind("forgotten case")
def forgotten_case(source):
    for block in source.blocks:
        for statement in block.statements:
            if statement.kind == "if" and len(statement.bodies) == 2:
                yield [(source.tokens[statement.bodies[0].braces[1]].end,
                        source.tokens[statement.last].end, "")]


@kind("swapped branches")
def swapped_branches(source):
    for block in source.blocks:
        for statement in block.statements:
            if statement.kind == "if" and len(statement.bodies) == 2:
                yield source.put(*statement.condition, f"(!{source.code(*statement.condition)})")
    for at in source.inside:
        if source.word(at) == "?":
            colon, end = source.operand(at, 1), None
            if colon and source.word(colon + 1) == ":":
                end = source.operand(colon + 1, 1)
            if end:
                yield (source.put(at + 1, colon, source.code(colon + 2, end))
                       + source.put(colon + 2, end, source.code(at + 1, colon)))


@kind("statement moved into a block")
def moved_into(source):
    for block in source.blocks:
        for above, statement in zip(block.statements, block.statements[1:]):
            body = above.bodies[0] if len(
                above.bodies) == 1 and above.kind in LOOPS | {"if"} else None
            if body and source.word(
                    body.braces[1]
            ) == "}" and body.statements and body.statements[-1].kind not in FLOW:
                close = source.tokens[body.braces[1]].start
                if is_plain(statement) and source.lines(statement):
                    yield [(close, close, source.code(statement.first, statement.last) + " "),
                           (*source.lines(statement), "")]


@kind("statement moved out of a block")
def moved_out(source):
    for block in source.blocks:
        if block.of and block.of.kind in LOOPS | {"if"} and len(block.statements) > 1 and len(
                block.of.bodies) == 1:
            last, close = block.statements[-1], source.tokens[block.of.last].end
            if source.lines(last) and last.kind not in ("break", "continue"):
                yield [(*source.lines(last), ""),
                       (close, close, " " + source.code(last.first, last.last))]


@kind("wrong order of statements")
def wrong_order(source):
    for block in source.blocks:
        for first, second in zip(block.statements, block.statements[1:]):
            lines = source.lines(first), source.lines(second)
            if all(lines) and is_plain(first) and second.kind not in ("function", "break",
                                                                      "continue"):
                texts = [source.text[slice(*at)] for at in lines]
                yield [(*lines[0], texts[1]), (*lines[1], texts[0])]


@kind("early return")
def early_return(source):
    """The return after a loop moves into it."""
    for block in source.blocks:
        for loop, statement in zip(block.statements, block.statements[1:]):
            if loop.kind in LOOPS and statement.kind == "return" and source.word(
                    loop.last) == "}" and source.lines(statement):
                close = source.tokens[loop.last].start
                yield [(close, close, source.code(statement.first, statement.last) + " "),
                       (*source.lines(statement), "")]


@kind("forgotten return")
def forgotten_return(source):
    for block in source.blocks:
        for statement in block.statements:
            if statement.kind == "return" and statement.last - statement.first > 2:
                yield [(source.tokens[statement.first].start,
                        source.tokens[statement.first + 1].start, "")]


@kind("forgotten this")
def forgotten_this(source):
    for at in source.inside:
        if source.word(at) == "this" and source.word(at + 1) == "." and source.word(at + 3) in (
                "=", "+=", "++", "--", "-="):
            yield [(source.tokens[at].start, source.tokens[at + 2].start,
                    "var " if source.word(at + 3) == "=" else "")]


# --- conditions ---

@kind("dropped part of a condition")
def dropped_part(source):
    for at in source.inside:
        if source.word(at) in ("&&", "||"):
            left, right = source.operand(at, -1), source.operand(at, 1)
            if left and right:
                yield [(source.tokens[left].start, source.tokens[at + 1].start, "")]
                yield [(source.tokens[at - 1].end, source.tokens[right].end, "")]


@kind("comparison at its boundary")
def boundary(source):
    yield from replaced(source, BOUNDARIES)


@kind("comparison the wrong way round")
def direction(source):
    yield from replaced(source, DIRECTIONS)


@kind("lost negation")
def lost_negation(source):
    yield from replaced(source, NEGATIVES)
    yield from replaced(source, {"!": ""})


@kind("and for or")
def and_for_or(source):
    yield from replaced(source, {"&&": "||", "||": "&&"})


# --- the whole ---

def kinds():
    return [*kind.finders, *inject_javascript_values.kind.finders]


def compiles(text):
    """Checks it as a module of CommonJS, which node wraps into a function."""
    script = (
        "new Function('exports', 'require', 'module', require('fs').readFileSync(0, "
        "'utf8').replace(/^#!.*/, ''))"
    )
    done = subprocess.run(["node", "-e", script], input=text.encode(), stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL)
    return done.returncode == 0


def find(text):
    source = Source(text)
    yield from kind.find(source)
    yield from inject_javascript_values.kind.find(source)
