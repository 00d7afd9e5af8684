# The fast way to a changed module: in a candidate's process the changed functions of the loaded one
# get their new code in place. It is compiled before that process is forked: what is compiled there
# has pages of memory to copy first.
#
# That is right only where nothing but the functions' code differs, and nothing has come of the old
# code yet. So it is done where
#  - all changes lie within functions at the top of a module, or methods of classes there;
#  - around them everything compiles to the same: arguments, defaults, decorators, annotations,
#    documentation;
#  - these functions never ran while the tests were loaded, so that no value, closure or generator
#    was made by them; what was loaded before anybody watched counts as having run;
#  - all functions that have the old code are known: wherever a decorator, a property or another
#    module holds one, it is that one. Everything else is tried the slow way (python.py).
import __future__
import ast
import bisect
import cProfile
import gc
import os
import re
import sys
import threading
import types

SYNTAX_ERRORS = (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError)
SUSPENDED = {
    types.GeneratorType: "gi_code", types.CoroutineType: "cr_code",
    types.AsyncGeneratorType: "ag_code"
}
INSTALLED = re.compile(r"/(site-packages|dist-packages|node_modules|\.tox|\.nox|\.?venv)/")
# generator, coroutine, iterable coroutine, asynchronous generator
FLAVOURS = 0x20 | 0x80 | 0x100 | 0x200


def below(root, path):
    return path.startswith(root + os.sep)


def is_own(root, path):
    """Whether a file is the product's or one of its tests: not installed there, as in a .venv."""
    return below(root, path) and not INSTALLED.search(path[len(root):])


def edits_of(data, change):
    """What a candidate does to the bytes of a file: [(offset, length, new bytes)]."""
    if "content" not in change:
        return [(one["offset"], one["length"], one["text"].encode("utf-8", "surrogatepass"))
                for one in change["splices"]]
    new = change["content"].encode("utf-8", "surrogatepass")
    start = len(os.path.commonprefix([data, new]))
    end = len(os.path.commonprefix([data[start:][::-1], new[start:][::-1]]))
    return [(start, len(data) - start - end, new[start:len(new) - end])]


def edited(data, edits):
    parts, at = [], 0
    for offset, length, text in edits:
        parts += [data[at:offset], text]
        at = offset + length
    return b"".join(parts + [data[at:]])


def encoding_of(data):
    """That of a source, as it says itself."""
    named = re.search(rb"coding[:=][ \t]*([-\w.]+)", b"".join(data.split(b"\n", 2)[:2]))
    if data.startswith(b"\xef\xbb\xbf"):
        return b"utf-8-sig"
    return named.group(1).lower() if named else b"utf-8"


def only_difference(old, new, name):
    """The codes of that name in two codes that are else the same; None where they are not."""
    compared = ("co_code", "co_names", "co_varnames", "co_cellvars")
    if any(getattr(old, one) != getattr(new, one) for one in compared):
        return None
    if len(old.co_consts) != len(new.co_consts):
        return None
    found = []
    for a, b in zip(old.co_consts, new.co_consts):
        both = isinstance(a, types.CodeType) and isinstance(b, types.CodeType)
        if both and a.co_name == b.co_name == name:
            found.append((a, b))
        elif a != b if both else repr(a) != repr(b):
            return None
    return found[0] if len(found) == 1 else None


def moved(code, lines):
    """The same code so many lines further down."""
    consts = tuple(
        moved(one, lines) if isinstance(one, types.CodeType) else one for one in code.co_consts)
    return code.replace(co_firstlineno=code.co_firstlineno + lines, co_consts=consts)


def documentation(code):
    """What a function of this code has as __doc__."""
    return types.FunctionType(code, {}, None, None,
                              tuple(types.CellType() for _ in code.co_freevars)).__doc__


class Definition:
    """A function of a file: where it stands, and the functions that were made of it."""

    def __init__(self, start, end, line, names):
        self.start, self.end, self.line, self.names = start, end, line, names
        self.functions = []
        self.base = None

    def compile(self, text, outline):
        """The code of the file as if it held nothing but this definition, in its classes."""
        indent = text[:len(text) - len(text.lstrip(b" \t"))]
        classes = [
            indent[:i] + b"class " + name.encode() + b":\n"
            for i, name in enumerate(self.names[:-1])
        ]
        before = b"".join([outline.imports] + classes)
        return compile(before + text, outline.path, "exec", flags=outline.flags, dont_inherit=True)

    def know_base(self, outline):
        """Whether the functions are what the file says."""
        if self.base is None and self.functions:
            try:
                self.base = self.compile(outline.data[self.start:self.end], outline)
                code = self.exchanged(self.base)
            except SYNTAX_ERRORS:
                code = None
            if any(function.__code__ != code for function in self.functions):
                self.functions = []
        return bool(self.functions)

    def exchanged(self, code):
        """The new code of the function, where all that stands around it in `code` is as it was;
        else None."""
        old = self.base
        for name in self.names:
            pair = only_difference(old, code, name)
            if not pair:
                return None
            old, code = pair
        if old.co_freevars != code.co_freevars or (old.co_flags ^ code.co_flags) & FLAVOURS:
            return None
        if documentation(old) != documentation(code):
            return None
        return moved(code, self.line - len(self.names) - 1)


def imported_names(tree):
    """Those that a module binds by imports: calls of their attributes compile to other code."""
    names, left = set(), [tree]
    while left:
        node = left.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update(one.asname or one.name.partition(".")[0] for one in node.names)
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            left += ast.iter_child_nodes(node)
    return sorted(names - {"*"})


class Outline:
    """The functions of one file, in order."""

    def __init__(self, path, data, functions):
        self.path, self.data = path, data
        self.definitions = []
        self.offsets = [0]
        for line in data.split(b"\n"):
            self.offsets.append(self.offsets[-1] + len(line) + 1)
        tree = ast.parse(data)
        names = imported_names(tree)
        imported = ", ".join("a as " + name for name in names)
        self.imports = b"import %s\n" % imported.encode() if names else b"\n"
        self.flags = 0
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                for feature in (getattr(__future__, one.name) for one in node.names):
                    # What this Python does anyway leaves no mark on the code.
                    release = feature.getMandatoryRelease() or sys.version_info[:1] + (99,)
                    if release > sys.version_info:
                        self.flags |= feature.compiler_flag
        self.add(tree.body, len(data), [])
        self.starts = [definition.start for definition in self.definitions]
        for definition in self.definitions:
            definition.functions = functions.get((path, definition.names[-1], definition.line), [])

    def add(self, statements, end, names):
        first_lines = [
            min([node.lineno] + [one.lineno for one in getattr(node, "decorator_list", [])])
            for node in statements
        ]
        starts = [self.offsets[line - 1] for line in first_lines] + [end]
        for node, line, start, stop in zip(statements, first_lines, starts, starts[1:]):
            if isinstance(node, ast.ClassDef):
                self.add(node.body, stop, names + [node.name])
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and stop > start:
                self.definitions.append(Definition(start, stop, line, names + [node.name]))

    def group(self, edits):
        """[(definition, its edits)]; None where one lies outside of all, or within one whose code
        must stay."""
        groups = []
        for offset, length, text in edits:
            i = bisect.bisect_right(self.starts, offset) - 1
            definition = self.definitions[i] if i >= 0 else None
            if not definition or offset + length > definition.end or not definition.know_base(self):
                return None
            if not groups or groups[-1][0] is not definition:
                groups.append((definition, []))
            groups[-1][1].append((offset - definition.start, length, text))
        return groups


class Swapper:
    """The loaded modules below a root, and the changes that their functions bear."""

    def __init__(self, root):
        self.root = root
        self.paths = {}  # real paths by file names of codes
        self.early = set()
        self.functions = {}
        self.outlines = {}
        self.profile = None
        self.threads = False

    def watch(self):
        """From here on what runs is remembered."""
        modules = list(sys.modules.values())
        self.early = {self.real(getattr(module, "__file__", None) or "") for module in modules}
        if sys.implementation.name == "cpython":
            self.profile = cProfile.Profile(subcalls=False, builtins=False)
            self.profile.enable()
            threading.setprofile(self.see_thread)

    def real(self, name):
        if name not in self.paths:
            folder = os.path.dirname(name)
            if folder not in self.paths:
                self.paths[folder] = os.path.realpath(folder)
            path = os.path.join(self.paths[folder], os.path.basename(name))
            self.paths[name] = os.path.realpath(path) if os.path.islink(path) else path
        return self.paths[name]

    def see_thread(self, *_):
        self.threads = True
        sys.setprofile(None)

    def stop(self):
        if self.profile:
            self.profile.disable()
            threading.setprofile(None)

    def learn(self):
        """All is loaded: the functions below the root that have not run may change."""
        self.stop()
        if not self.profile or self.threads:
            return
        ran = {id(entry.code) for entry in self.profile.getstats()}
        for thing in gc.get_objects():
            if type(thing) in SUSPENDED:
                ran.add(id(getattr(thing, SUSPENDED[type(thing)])))
            elif type(thing) is types.FunctionType:
                code = thing.__code__
                path = self.real(code.co_filename)
                if is_own(self.root, path) and path not in self.early:
                    key = (path, code.co_name, code.co_firstlineno)
                    self.functions.setdefault(key, []).append(thing)
        for functions in self.functions.values():
            if any(id(function.__code__) in ran for function in functions):
                functions.clear()
        self.profile = None

    def outline(self, path, data):
        if path not in self.outlines:
            self.outlines[path] = None
            if b"\r" not in data.replace(b"\r\n", b"") and encoding_of(data) == b"utf-8":
                try:
                    self.outlines[path] = Outline(path, data, self.functions)
                except SYNTAX_ERRORS:
                    pass
        return self.outlines[path]

    def find(self, path, data, edits):
        """The new code of what the edits of a file change: [(functions, code)]; None where that is
        more than the code of functions, or does not compile on its own."""
        outline = self.outline(path, data)
        groups = outline.group(edits) if outline else None
        if groups is None:
            return None
        found = []
        for definition, own in groups:
            try:
                code = definition.exchanged(
                    definition.compile(edited(data[definition.start:definition.end], own), outline))
            except SYNTAX_ERRORS:
                return None
            if code is None:
                return None
            found.append((definition.functions, code))
        return found


def swap(found):
    """Gives functions their new code."""
    for functions, code in found:
        for function in functions:
            function.__code__ = code
