"""Results of cases in a file, a line of JSON each, written one by one: a second call continues with
the rest."""
import json


class Results:
    def __init__(self, path):
        self.path, self.lines = path, {}
        path.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        for line in text.splitlines():
            self.take(line)
        if text and not text.endswith("\n"):
            self.append("")

    def take(self, text):
        """Ignores a line that was torn when its writer was killed."""
        try:
            line = json.loads(text)
        except ValueError:
            return
        self.lines[line["case"]] = line

    def append(self, text):
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(text + "\n")

    def of(self, name, try_case):
        """The line of a case, and whether this call tried it."""
        if name in self.lines:
            return self.lines[name], False
        line = try_case()
        self.append(json.dumps(line))
        self.lines[name] = line
        return line, True
