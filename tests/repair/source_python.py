"""Python as ast reads it, with places: offsets in the text, in characters."""
import ast
import re

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def is_docstring(statement):
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


class Source:
    def __init__(self, text):
        self.text, self.tree = text, ast.parse(text)
        self.rows = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$", text)
        self.starts = [0]
        for row in self.rows:
            self.starts.append(self.starts[-1] + len(row))
        self.inside, self.blocks = [], []
        self.tree.function = self.tree.parent = None
        self.visit(self.tree, None)

    def visit(self, node, function):
        """Notes the parent of each node, all nodes inside functions, and their blocks."""
        for child in ast.iter_child_nodes(node):
            child.parent, child.function = node, function
            if function and hasattr(child, "lineno"):
                self.inside.append(child)
            self.visit(child, child if isinstance(child, FUNCTIONS) else function)
        within = node if isinstance(node, FUNCTIONS) else function
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if within and isinstance(block, list) and block and not isinstance(node, ast.ClassDef):
                self.blocks.append((node, block))

    def nodes(self, *types):
        return (node for node in self.inside if isinstance(node, types))

    def offset(self, line, column):
        """The offset of a place of ast: lines from 1, columns in bytes."""
        return self.starts[line - 1] + len(self.rows[line - 1].encode()[:column].decode())

    def start(self, node):
        return self.offset(node.lineno, node.col_offset)

    def end(self, node):
        return self.offset(node.end_lineno, node.end_col_offset)

    def code(self, node):
        return self.text[self.start(node):self.end(node)]

    def put(self, node, text):
        return [(self.start(node), self.end(node), text)]

    def between(self, first, second):
        """The operator between two neighbours, without space and brackets."""
        start, end = self.end(first), self.start(second)
        gap = self.text[start:end]
        word = re.search(r"not\s+in|is\s+not|[^\s()\\#]+", gap)
        return (start + word.start(), start + word.end()) if word else None

    def lines(self, statement):
        """The whole lines of a statement; None if other text is in them."""
        first = min([statement.lineno] +
                    [d.lineno for d in getattr(statement, "decorator_list", [])])
        start, end = self.starts[first - 1], self.starts[statement.end_lineno]
        before = self.text[start:self.start(statement)] if first == statement.lineno else ""
        after = self.text[self.end(statement):end].strip()
        alone = not before.strip() and (not after or after.startswith("#"))
        return (start, end) if alone and self.text[end - 1:end] == "\n" else None

    def drop(self, statement, block):
        lines = self.lines(statement)
        if not lines or is_docstring(statement):
            return []
        return [(*lines, "")] if len(block) > 1 else self.put(statement, "pass")

    def indented(self, statement, column):
        """The lines of a statement, moved to another column; None if that would change a string."""
        lines = self.lines(statement)
        if not lines or any(
                isinstance(node, (ast.Constant, ast.JoinedStr)) and node.lineno != node.end_lineno
                for node in ast.walk(statement)):
            return None
        text, by = self.text[slice(*lines)], column - statement.col_offset
        return re.sub(r"(?m)^(?=[^\n])", " " *
                      by, text) if by > 0 else re.sub(rf"(?m)^[ ]{{0,{-by}}}", "", text)
