"""The tokens of a text, as far as comments, strings, numbers, names and operators go."""
import re

COMMENT = r"//[^\n]*|/\*.*?\*/"
STRING = r'"(?:\\.|[^"\\])*"'
SCRIPT = r"`(?:\\.|[^`\\])*`|'(?:\\.|[^'\\\n])*'"
CHARACTER = r"'(?:\\.|[^'\\])+'"
QUOTES = {
    "rust": r"""r(\#*)".*?"\1|b?'(?:\\(?:u\{[^}]*\}|x..|.)|[^'\\])'""",
    "go": r"`[^`]*`|" + CHARACTER, "javascript": SCRIPT, "typescript": SCRIPT,
    "java": r'""".*?"""|' + CHARACTER, "c": CHARACTER,
    "python": r'[rbuf]{0,2}(?:"""(?:\\.|[^\\])*?"""|' r"'''(?:\\.|[^\\])*?'''|"
              r"'(?:\\.|[^'\\\n])*')|[rbuf]{1,2}" + STRING,
}
OPERATOR = r"<<=|>>=|===|!==|\*\*=|//=|\.\.[.=]|&&=|\|\|=|\?\?=|>>>|&\^|" \
           r"[-+*/%&|^=!<>:]=|->|=>|&&|\|\||\+\+|--|<<|>>|\*\*|//|::|\?\?|\?\.|<-|[^\w\s]"
REST = rf"\d[\w.]*|\w+|{OPERATOR}"


def pattern(language):
    comment = r"\#[^\n]*" if language == "python" else COMMENT
    return re.compile(
        rf"(?P<comment>{comment})|(?P<text>{QUOTES[language]}|{STRING})|(?P<rest>{REST})", re.S)


PATTERNS = {language: pattern(language) for language in QUOTES}


def words(text, language):
    """The tokens without comments."""
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
