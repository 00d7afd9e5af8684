"""Text of a language with braces as words, as far as comments, strings and blocks go."""
import re

COMMENT = r"//[^\n]*|/\*.*?\*/"
STRING = r'"(?:\\.|[^"\\])*"'
QUOTES = {
    "rust": r"""r(\#*)".*?"\1|b?'(?:\\(?:u\{[^}]*\}|x..|.)|[^'\\])'""",
    "go": r"`[^`]*`|'(?:\\.|[^'\\])+'",
    "javascript": r"`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\\n])*'",
    "java": r'""".*?"""|' + r"'(?:\\.|[^'\\])+'",
    "c": r"'(?:\\.|[^'\\])+'",
}
REST = r"\w+|[^\w\s]"


def pattern(language):
    return re.compile(rf"(?P<comment>{COMMENT})|(?P<text>{QUOTES[language]}|{STRING})|"
                      rf"(?P<rest>{REST})", re.S)


PATTERNS = {language: pattern(language) for language in QUOTES}


def words(text, language):
    """The words without comments."""
    return [found[0] for found in PATTERNS[language].finditer(text) if not found["comment"]]


def closing(text, start, language):
    """Where the brace that opens at start is closed; None if it is not."""
    depth = 0
    for found in PATTERNS[language].finditer(text, start):
        if found["rest"] in ("{", "}"):
            depth += 1 if found["rest"] == "{" else -1
            if depth == 0:
                return found.start()
    return None
