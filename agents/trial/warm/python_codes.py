# The codes of modules, for candidates that load them again: what was compiled once is not compiled
# again. Found by name and text of a file, so that none is taken for another.
import hashlib
import importlib.machinery
import marshal
import os


class Codes:
    """Those of the files below a root, kept in a folder. A candidate's process only reads there."""

    def __init__(self, root, folder):
        self.root, self.folder, self.keeps = root, folder, True
        os.mkdir(folder)
        self.original = importlib.machinery.SourceFileLoader.source_to_code
        importlib.machinery.SourceFileLoader.source_to_code = (
            lambda *what, **how: self.source_to_code(*what, **how))

    def source_to_code(self, loader, data, path, **how):
        """As the import system's: it is asked only where nothing compiled lies beside the file."""
        if how or not isinstance(data, bytes) or not below(self.root, os.path.abspath(path)):
            return self.original(loader, data, path, **how)
        place = self.place(data, path)
        try:
            with open(place, "rb") as file:
                return marshal.load(file)
        except (OSError, ValueError, EOFError, TypeError):
            code = self.original(loader, data, path)
        if self.keeps:
            self.keep(place, code)
        return code

    def place(self, data, path):
        return os.path.join(self.folder, hashlib.sha1(os.fsencode(path) + b"\0" + data).hexdigest())

    @staticmethod
    def keep(place, code):
        with open(place, "wb") as file:
            marshal.dump(code, file)

    def add(self, data, path):
        """Compiles a text that `path` is about to hold. Gives where it is kept, to be removed; None
        for a syntax error."""
        try:
            code = compile(data, path, "exec", dont_inherit=True)
        except SYNTAX_ERRORS:
            return None
        place = self.place(data, path)
        self.keep(place, code)
        return place
