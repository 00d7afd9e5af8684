"""What was tried, a line of JSON each in a file: what was stopped goes on with the rest."""
import json


class Memory:
    def __init__(self, path):
        self.path, self.known = path, {}
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
            key, told = json.loads(line)
            self.known[key] = told

    def ask(self, key, find):
        if key not in self.known:
            self.known[key] = find()
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps([key, self.known[key]]) + "\n")
        return self.known[key]
