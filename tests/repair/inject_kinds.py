"""The lists of kinds: finders by name."""


class Kinds:
    """Finders by name. Each yields the places for its kind of mistake, as lists of splices."""

    def __init__(self):
        self.finders = {}

    def __call__(self, name):
        def register(finder):
            self.finders[name] = finder
            return finder
        return register

    def find(self, source):
        """(kind, splices) of every place, by kind and then by place."""
        for name, finder in self.finders.items():
            places = [splices for splices in finder(source) if splices]
            yield from ((name, splices) for splices in sorted(places))
