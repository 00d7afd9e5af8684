"""What is known of a language: which files are its sources and its tests, what of a text is no
code, and where tests stand among the sources."""
import ast
import re

import tokens

TESTS = {
    "python": r"(^|/)(tests?|testing|test_[^/]*|[^/]*_tests?)(/|\.py$)|(^|/)conftest\.py$",
    "go": r"_test\.go$|(^|/)(testdata|internal/test[^/]*)/",
    "rust": r"(^|/)(tests?|benches)(/|\.rs$)",
    "javascript": r"(^|/)(tests?|__tests__|spec|specs)/|(^|/)tests?\.[cm]?[jt]s$|[._-](test|spec)\."
                  r"[cm]?[jt]sx?$",
    "java": r"(^|/)src/(test|it)/|Test\.java$",
    "c": r"(^|/)(tests?|testsuite|unittests?|t|check)/|(^|/)test[^/]*\.c$|_?tests?\.c$",
}
SUFFIXES = {
    "python": (".py",), "go": (".go",), "rust": (".rs",), "javascript": (".js", ".mjs", ".cjs"),
    "java": (".java",), "c": (".c", ".h")
}
NO_SOURCE = re.compile(
    r"(?i)(^|/)(docs?|examples?|samples?|bench(mark)?s?|scripts?|tools?|build|dist|ci|fuzz|contrib|"
    r"debian|\.[^/]+)/|(^|/)(setup|noxfile|conf|versioneer|fabfile|release|build|gulpfile|"
    r"gruntfile|rollup\.config|_?_?version_?_?|about|__about__)\.\w+$|\.min\.js$")

INLINE = re.compile(
    r"#\[cfg\((?:all\()?test\b[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:pub\s*)?mod \w+\s*\{")


def is_test(language, path):
    return bool(re.search(TESTS[language], path))


def is_source(language, path):
    return (path.endswith(SUFFIXES[language]) and not is_test(language, path)
            and not NO_SOURCE.search(path))


def code(language, text):
    """The text without comments, documentation and layout: equal for texts that do the same."""
    if language != "python":
        return " ".join(tokens.words(text, language))
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return re.sub(r"(?m)^\s*#.*|\s+", " ", text)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [part for part in body if not is_documentation(part)]
    return ast.dump(tree)


def is_documentation(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(
        node.value.value, str)


def inline_tests(language, text):
    """The lines, as (first, last), in which tests stand among the sources."""
    if language != "rust":
        return []
    found = []
    for match in INLINE.finditer(text):
        end = tokens.closing(text, match.end() - 1, language)
        if end:
            found.append((text.count("\n", 0, match.start()) + 1, text.count("\n", 0, end) + 1))
    return found
