"""What all lists of kinds have in common: finders by name."""


class Kinds:
    """Each finder yields the places of a source where its kind of mistake could be made, as lists
    of splices."""

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
