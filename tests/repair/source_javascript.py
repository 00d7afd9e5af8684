"""JavaScript as tokens, brackets and statements: enough to find tests and places to break.

Semicolons are optional. Text that it cannot read, such as JSX, raises SyntaxError."""
import re

STRING = r"'(?:[^'\\\n]|\\.)*'|\"(?:[^\"\\\n]|\\.)*\""
TOKEN = re.compile(
    r"""
    (?P<space>\s+|//[^\n]*|/\*.*?\*/|\A\#![^\n]*)
  | (?P<name>(?!\d)[\w$\#\u0080-\U0010ffff]+)
  | (?P<number>(?:0[xXbBoO][\da-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)n?)
  | (?P<string>""" + STRING + r""")
  | (?P<sign>>>>=|===|!==|\*\*=|<<=|>>=|>>>|&&=|\|\|=|\?\?=|\.\.\.|=>|==|!=|<=|>=
      |&&|\|\||\?\?|\?\.(?!\d)|\+\+|--|[-+*/%&|^]=|\*\*|<<|>>|[-+*/%&|^!~<>=?:;,.(){}\[\]@])
""", re.X | re.S)
QUOTED = re.compile(STRING, re.S)
REGEX = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
KEYWORDS = set(
    """async await break case catch class const continue debugger default delete do else
    export extends false finally for function if import in instanceof let new null of return static
    super switch this throw true try typeof undefined var void while with yield""".split())
BEFORE_A_REGEX = KEYWORDS - {"this", "super", "null", "true", "false", "undefined"}
LOOPS = {"for", "while", "do"}
CONTROL = {"if", "for", "while", "with", "switch", "catch"}
GOES_ON = set(
    ". ?. ( [ , ? : = => == === != !== < > <= >= + - * / % & | ^ && || ?? ** << >> >>> += -= *= "
    "/= ; ) ]"
    .split())
# Words and signs after which a statement continues.
UNFINISHED = {"var", "let", "const", "typeof", "new"}
FINISHED = {")", "]", "}", "++", "--"}
# The ends of an operand of && and ||, beside brackets.
OPERAND_ENDS = {
    "&&", "||", "??", ",", ";", "?", ":", "=", "=>", "return", "{", "(", "[", "+=", "if", "while",
    "case", "in"
}
CLOSES = {"(": ")", "[": "]", "{": "}"}


class Token:
    def __init__(self, kind, text, start):
        self.kind, self.text, self.start, self.end = kind, text, start, start + len(text)
        self.match = self.function = None


class Statement:
    """kind is the first word. The tokens are first to last, both included; not every statement has
    a condition or bodies."""

    def __init__(self, kind, first):
        self.kind, self.first, self.last, self.condition, self.bodies = kind, first, first, None, []


class Block:
    """A list of statements: those in braces, or a single one after if, else or a loop."""

    def __init__(self, of, statements, braces):
        self.of, self.statements, self.braces = of, statements, braces


def template_end(text, at):
    """The end of a template literal, whatever is nested in it."""
    at += 1
    while at < len(text) and text[at] != "`":
        if text[at] == "\\":
            at += 1
        elif text.startswith("${", at):
            depth, at = 1, at + 2
            while depth and at < len(text):
                string = QUOTED.match(text, at)
                depth += (text[at] == "{") - (text[at] == "}")
                at = template_end(text,
                                  at) if text[at] == "`" else string.end() if string else at + 1
            at -= 1
        at += 1
    return at + 1


def tokens(text):
    found, at = [], 0
    while at < len(text):
        last = found[-1] if found else None
        value = last and (last.kind in ("number", "string", "template", "regex")
                          or last.text in (")", "]", "}")
                          or last.kind == "name" and last.text not in BEFORE_A_REGEX)
        regex = REGEX.match(
            text,
            at) if text[at] == "/" and not value and text[at:at + 2] not in ("//", "/*") else None
        if text[at] == "`":
            found.append(Token("template", text[at:template_end(text, at)], at))
        elif regex:
            found.append(Token("regex", regex.group(), at))
        else:
            match = TOKEN.match(text, at)
            if not match:
                raise SyntaxError(f"no token of JavaScript at {text[at:at + 20]!r}")
            if match.lastgroup == "space":
                at = match.end()
                continue
            found.append(Token(match.lastgroup, match.group(), at))
        at = found[-1].end
    return found


class Source:
    def __init__(self, text):
        self.text, self.tokens, self.blocks = text, tokens(text), []
        self.match_brackets()
        self.top = self.read_statements(0, len(self.tokens))
        self.blocks = [
            block for block in self.blocks if self.tokens[block.braces[0]].function is not None
        ]
        for block in self.bodies:
            statements = self.read_statements(block + 1, self.tokens[block].match)
            self.blocks.append(Block(None, statements, (block, self.tokens[block].match)))
        self.inside = [at for at, token in enumerate(self.tokens) if token.function is not None]

    def word(self, at):
        return self.tokens[at].text if 0 <= at < len(self.tokens) else ""

    def match_brackets(self):
        """Pairs brackets, and notes for each token the innermost body of a function around it."""
        opened, functions, self.bodies = [], [], []
        for at, token in enumerate(self.tokens):
            if token.kind == "sign" and token.text in ")]}":
                if not opened or CLOSES[self.word(opened[-1])] != token.text:
                    raise SyntaxError(f"a {token.text} that closes nothing")
                start = opened.pop()
                token.match, self.tokens[start].match = start, at
                if functions and functions[-1] == start:
                    functions.pop()
            token.function = functions[-1] if functions else None
            if token.kind == "sign" and token.text in CLOSES:
                opened.append(at)
                if token.text == "{" and self.begins_function(at):
                    functions.append(at)
                    self.bodies.append(at)
        if opened:
            raise SyntaxError(f"a {self.word(opened[-1])} that is not closed")

    def begins_function(self, at):
        before = self.word(at - 1)
        if before != ")":
            return before == "=>"
        return self.word(self.tokens[at - 1].match - 1) not in CONTROL

    def new_line(self, at):
        """Whether a token is the first of its line."""
        return "\n" in self.text[self.tokens[at - 1].end:self.tokens[at].start]

    def read_statements(self, at, end):
        statements = []
        while at < end:
            if self.word(at) in ("case", "default") and self.tokens[at].kind == "name":
                while self.word(at) != ":":
                    at = (self.tokens[at].match or at) + 1
                at += 1
            elif self.word(at) == ";":
                at += 1
            else:
                statements.append(self.read_statement(at, end))
                at = statements[-1].last + 1
        return statements

    def read_body(self, statement, at, end):
        """Reads the body of a control statement, from a token on; returns the token after it."""
        if self.word(at) == "{":
            inner, close = self.read_statements(at + 1,
                                                self.tokens[at].match), self.tokens[at].match
        elif self.word(at) == ";":
            inner, close = [], at
        else:
            inner = [self.read_statement(at, end)]
            close = inner[-1].last
        block = Block(statement, inner, (at, close))
        statement.bodies.append(block)
        self.blocks.append(block)
        statement.last = close
        return close + 1

    def read_statement(self, at, end):
        statement = Statement(self.word(at) if self.tokens[at].kind == "name" else "", at)
        kind = statement.kind
        if self.word(at) == "{":
            statement.kind = "{"
            self.read_body(statement, at, end)
        elif kind in CONTROL and self.word(at + 1) == "(":
            statement.condition = at + 1, self.tokens[at + 1].match
            after = self.read_body(statement, statement.condition[1] + 1, end)
            if kind == "if" and after < end and self.word(after) == "else":
                self.read_body(statement, after + 1, end)
        elif kind in ("try", "do"):
            after = self.read_body(statement, at + 1, end)
            while kind == "try" and after < end and self.word(after) in ("catch", "finally"):
                has_name = self.word(after + 1) == "("
                after = self.read_body(statement,
                                        (self.tokens[after + 1].match if has_name else after) + 1,
                                        end)
            if kind == "do":
                statement.last = self.expression_end(after, end)
        elif kind in ("function", "class") or kind == "async" and self.word(at + 1) == "function":
            while self.word(at) != "{":
                at = (self.tokens[at].match or at) + 1
            statement.last = self.tokens[at].match
        else:
            statement.last = self.expression_end(at, end)
        return statement

    def expression_end(self, at, end):
        """The last token of a statement that ends with a semicolon or a complete line."""
        while at < end:
            at = max(at, self.tokens[at].match or at)
            if self.word(at) == ";" or at + 1 >= end:
                return at
            following = self.word(at + 1)
            last = self.tokens[at]
            ends = last.text in FINISHED or last.kind != "sign"
            goes_on = following in GOES_ON or last.text in UNFINISHED or not ends
            if self.new_line(at + 1) and not goes_on:
                return at
            at += 1
        return end - 1

    # --- places ---

    def span(self, first, last):
        return self.tokens[first].start, self.tokens[last].end

    def code(self, first, last):
        return self.text[slice(*self.span(first, last))]

    def put(self, first, last, text):
        return [(*self.span(first, last), text)]

    def lines(self, statement):
        """The whole lines of a statement; None if other text is in them."""
        start, end = self.span(statement.first, statement.last)
        begin, close = self.text.rfind("\n", 0, start) + 1, self.text.find("\n", end) + 1
        after = self.text[end:close].strip()
        return (begin, close) if close and not self.text[begin:start].strip() and (
            not after or after.startswith("//")) else None

    def drop(self, statement):
        lines = self.lines(statement)
        return [(*lines, "")] if lines else []

    def arguments(self, opening):
        """The first and last tokens of each item between commas in brackets."""
        close, at, first, found = self.tokens[opening].match, opening + 1, opening + 1, []
        while at <= close:
            if at == close or self.word(at) == ",":
                if first < at:
                    found.append((first, at - 1))
                first = at + 1
            at = max(at, self.tokens[at].match or at) + 1
        return found

    def operand(self, at, step):
        """The far end of the operand to the left (-1) or right (1) of an operator, or None."""
        first = at = at + step
        while 0 <= at < len(self.tokens):
            word, match = self.word(at), self.tokens[at].match
            if match is not None and (match - at) * step > 0:
                at = match
            elif word in OPERAND_ENDS or match is not None:
                break
            at += step
        return at - step if at != first else None

    def calls(self):
        """The name in a call, and the opening bracket."""
        for at in self.inside:
            if self.word(at) == "(" and self.tokens[at - 1].kind == "name" and self.word(
                    at - 1) not in KEYWORDS:
                if not (self.word(at - 2) == "function"
                        or self.word(self.tokens[at].match + 1) == "{"):
                    yield at - 1, at

    def callee(self, name):
        """The first token of a dotted name that ends at a token."""
        while self.word(name - 1) == "." and self.tokens[name - 2].kind == "name":
            name -= 2
        return name
