# Random edits of a small package: the warm runner has to say what a cold run of pytest says.
# agree.py DIR [EDITS [SEED]]
import io
import keyword
import os
import random
import shutil
import subprocess
import sys
import tokenize

from warm import PYTHON, Warm

GOAL = ["tests/test_prices.py::test_discount", "tests/test_stock.py::test_take_all"]
FILES = ["shop/__init__.py", "shop/prices.py", "shop/stock.py"]
OPERATORS = [["+", "-", "*", "/", "%", "**"], ["<", "<=", ">", ">=", "==", "!=", "is", "in"],
             ["and", "or"], ["=", "+=", "-="], ["True", "False", "None"], [",", "."]]
KEPT = set(":()[]{}@#") | set(keyword.kwlist) - {"and", "or", "in", "is", "True", "False", "None"}
GOOD = {
    "shop/prices.py": ("amount + discount", "amount - discount"),
    "shop/stock.py": ("count >= have", "count > have")
}
LIMITS = {"cpu_ms": 2000, "wall_ms": 20000, "other_cpu_ms": 2000}


def cold(directory):
    """{id: status} by a run of pytest of its own; None where it does not end."""
    words = ["-q", "-rA", "--tb=no", "-p", "no:cacheprovider", "--continue-on-collection-errors"]
    command = [PYTHON, "-B", "-m", "pytest"] + words
    try:
        output = subprocess.run(command, cwd=directory, stdout=subprocess.PIPE,
                                timeout=20).stdout.decode()
    except subprocess.TimeoutExpired:
        return None
    found = {}
    for line in output.split("\n"):
        status, _, rest = line.partition(" ")
        if status in ("PASSED", "FAILED", "ERROR", "XFAIL", "XPASS") and found.get(
                rest.split(" - ")[0]) in (None, "PASSED"):
            found[rest.split(" - ")[0]] = status
    return found


def tokens_of(text):
    """[(start, end, token)] by characters."""
    lines = text.splitlines(True)
    starts = [sum(map(len, lines[:i])) for i in range(len(lines) + 1)]
    return [(starts[one.start[0] - 1] + one.start[1], starts[one.end[0] - 1] + one.end[1], one)
            for one in tokenize.generate_tokens(io.StringIO(text).readline)
            if one.string.strip() and one.type != tokenize.COMMENT]


def edit(text, choose):
    """(start, end, new text) of a random edit: mostly of one token, else of a line."""
    tokens = tokens_of(text)
    start, end, token = choose.choice([one for one in tokens if one[2].string not in KEPT])
    kind = choose.random()
    if kind < 0.2:
        lines = text.splitlines(True)
        i = choose.randrange(len(lines))
        start = sum(map(len, lines[:i]))
        line = choose.choice(lines)
        indent = lines[i][:len(lines[i]) - len(lines[i].lstrip())]
        return choose.choice([(start, start + len(lines[i]), ""),
                              (start, start, indent + line.lstrip()),
                              (start, start, indent + "return 0\n")])
    if token.type == tokenize.NUMBER:
        return start, end, str(choose.choice([0, 1, 2, -1, 100, 0.5]))
    for operators in OPERATORS:
        if token.string in operators:
            return start, end, choose.choice(operators)
    same = [
        other.string for _, _, other in tokens
        if other.type == token.type and other.string not in keyword.kwlist
    ]
    return start, end, choose.choice(same)


def expected(found, goal, others):
    """The ends that are right for what the cold run found, and how many goal tests passed."""
    passed = {name for name, status in found.items() if status in ("PASSED", "XPASS")}
    fixed = sum(name in passed for name in goal)
    broken = [name for name in others if name not in passed and found.get(name) != "XFAIL"]
    return "failed" if fixed < len(goal) else "broken" if broken else "passed", fixed, broken


def compiles(text, path):
    try:
        compile(text, path, "exec", dont_inherit=True)
        return True
    except (SyntaxError, ValueError):
        return False


def agrees(answer, texts, directory, others):
    """Whether a cold run of the directory with these texts finds what the runner said; and what it
    found."""
    copy = directory + "-cold"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(directory, copy)
    for path, text in texts.items():
        with open(os.path.join(copy, path), "w") as file:
            file.write(text)
    found = cold(copy)
    if not all(compiles(text, path) for path, text in texts.items()):
        return answer["end"] == "syntax", found
    if found is None:
        return answer["end"] in ("timeout", "died"), found
    end, fixed, broken = expected(found, GOAL, others)
    return (answer["end"], answer["fixed"]) == (end, fixed) and (end != "broken" or answer["broken"]
                                                                 in broken), found


def main(directory, edits=30, seed=1):
    choose, ends = random.Random(seed), {}
    others = [name for name, status in cold(directory).items() if status in ("PASSED", "XFAIL")]
    base = {path: open(os.path.join(directory, path)).read() for path in FILES}
    with Warm("pytest", ["-q"], GOAL, others, root=directory) as warm:
        assert warm.ready == {"ready": True, "goal": len(GOAL), "others": len(others)}, warm.ready
        for i in range(edits):
            path = choose.choice(FILES[1:] * 8 + FILES[:1])
            start, end, new = edit(base[path], choose)
            texts = {path: base[path][:start] + new + base[path][end:]}
            if i % 2:  # with what makes the goal pass, so that the others have a say
                texts = {
                    one: texts.get(one, base[one]).replace(*good)
                    for one, good in GOOD.items()
                }
            answer = warm.try_files([{"path": one, "content": text} for one, text in texts.items()],
                                    **LIMITS)
            agreed, found = agrees(answer, texts, directory, others)
            assert agreed, "edit %d of %s, %r to %r: %s, but cold: %s" % (
                i, path, base[path][start:end], new, answer, found)
            ends[answer["end"]] = ends.get(answer["end"], 0) + 1
    for path, text in base.items():
        assert open(os.path.join(directory, path)).read() == text, "%s has changed" % path
    print(" ".join("%s %d" % one for one in sorted(ends.items())))


main(sys.argv[1], *map(int, sys.argv[2:]))
