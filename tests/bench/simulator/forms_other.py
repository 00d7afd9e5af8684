"""Forms of edits that models know from elsewhere: diffs, envelopes, tags, JSON and commands."""
import difflib
import json
import re

from forms import after, by_path, comment, fence, language, marks, search, wrap


# --- Diffs ---

def hunks(mind, path, changes, context=3):
    """The lines of a diff from its first @@ on."""
    new = after(mind, path, changes)
    if new is None:
        old = "".join(change.old for change in changes)
        new = "".join(change.new for change in changes)
    else:
        old = mind.view.get(path, "")
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=context)
    return list(lines)[2:]


def diff(change_lines, info="diff", heads=("--- a/{0}", "+++ b/{0}")):
    """A diff whose lines a function has changed."""
    def form(mind, changes):
        blocks = []
        for path, some in by_path(changes).items():
            is_new = some[0].old is None
            head = ["--- /dev/null", f"+++ b/{path}"] if is_new and heads else \
                [line.format(path) for line in heads]
            lines = change_lines(mind, hunks(mind, path, some))
            blocks.append(fence(info, "".join(line + "\n" for line in head + lines)))
            if not heads:
                blocks[-1] = f"{path}\n{blocks[-1]}"
        return wrap(mind, blocks)
    return form


def wrong_numbers(mind, lines):
    return [f"@@ -{mind.rng.randint(1, 90)},{mind.rng.randint(1, 9)} "
            f"+{mind.rng.randint(1, 90)},{mind.rng.randint(1, 9)} @@"
            if line.startswith("@@") else line for line in lines]


def no_blanks(_, lines):
    """Lines that stay have lost the blank before them."""
    return [line[1:] if line.startswith(" ") else line for line in lines]


def lost_indentation(_, lines):
    return [line if line.startswith("@@") else line[:1] + line[1:].replace("    ", "", 1)
            .replace("\t", "", 1) for line in lines]


def few_lines(_, lines):
    """Without the context."""
    return [line for line in lines if line[:1] in "+-@"]


def with_dots(_, lines):
    """Dots in place of the last lines of context."""
    return [*(line for line in lines[:-2]), " ...", *lines[-1:]] if len(lines) > 5 else lines


def wrong_context(_, lines):
    """A line of context is quoted from memory."""
    at = next((i for i, line in enumerate(lines) if line.startswith(" ") and len(line) > 8), 0)
    return lines[:at] + [lines[at] + "  # as before"] + lines[at + 1:] if at else lines


# --- Envelopes of apply_patch ---

def envelope(frame, anchors=False):
    def form(mind, changes):
        parts = []
        for path, some in by_path(changes).items():
            lines = hunks(mind, path, some)
            if some[0].old is None:
                lines = ["+" + line for line in some[0].new.splitlines()]
                parts.append(f"*** Add File: {path}")
            else:
                parts.append(f"*** Update File: {path}")
            parts += [anchor(mind, path, some) if anchors and line.startswith("@@") else
                      re.sub(r"^@@ .*", "@@", line) for line in lines]
        return wrap(mind, [frame.format("\n".join(parts))])
    return form


def anchor(mind, path, changes):
    """The function in which the lines stand, as the guide asks for."""
    before = mind.view.get(path, "").partition(changes[0].old)[0].splitlines()
    heads = [line for line in before if re.match(r"(def|class|func|function|int|export) ", line)]
    return f"@@ {heads[-1]}" if heads else "@@"


# --- Tags and calls of tools ---

def tagged(frame, escape=str):
    """Each change in a frame of {path}, {old} and {new}; new files as {whole}."""
    def form(mind, changes):
        blocks = []
        for change in changes:
            if change.old is None:
                return search(mind, changes)
            blocks.append(frame.format(path=change.path, old=escape(change.old),
                                       new=escape(change.new), blocks=marks(change.old,
                                                                            change.new)))
        return wrap(mind, blocks)
    return form


def tagged_whole(frame):
    def form(mind, changes):
        texts = {path: after(mind, path, some) for path, some in by_path(changes).items()}
        if None in texts.values():
            return search(mind, changes)
        return wrap(mind, [frame.format(path=path, text=text) for path, text in texts.items()])
    return form


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def call(frame, name="str_replace_editor", keys=("path", "old_str", "new_str"), **more):
    """A call of a tool as JSON, in a frame of {call}."""
    def form(mind, changes):
        if any(change.old is None for change in changes):
            return search(mind, changes)
        calls = [{"name": name, "arguments": {**more, **dict(zip(keys, (
            change.path, change.old, change.new)))}} for change in changes]
        return wrap(mind, [frame.format(call=json.dumps(call, indent=mind.rng.choice([None, 2])))
                           for call in calls])
    return form


def as_json(make, frame="{}"):
    """The whole reply is one value of JSON."""
    def form(mind, changes):
        return frame.format(json.dumps(make(mind, changes), indent=2)) + "\n"
    return form


def edits_value(_, changes):
    return {"explanation": "The cause is mended.",
            "edits": [{"file": change.path, "search": change.old or "", "replace": change.new}
                      for change in changes]}


def one_value(_, changes):
    values = [{"filename": change.path, "search": change.old or "", "replace": change.new}
              for change in changes]
    return values[0] if len(values) == 1 else values


def files_value(mind, changes):
    texts = {path: after(mind, path, some) for path, some in by_path(changes).items()}
    return {"files": [{"path": path, "content": text} for path, text in texts.items() if text]}


# --- Commands that edit ---

def heredoc(mind, changes):
    """cat >FILE <<EOF with all of the file."""
    texts = {path: after(mind, path, some) for path, some in by_path(changes).items()}
    if None in texts.values():
        return python(mind, changes)
    return wrap(mind, [fence("sh", "".join(f"cat > {path} <<'EOF'\n{text}EOF\n"
                                           for path, text in texts.items()))])


def python(mind, changes):
    """A program in Python that replaces the text."""
    lines = ["python3 - <<'EOF'", "from pathlib import Path"]
    for change in changes:
        if change.old is None:
            lines.append(f"Path({change.path!r}).write_text({change.new!r})")
        else:
            lines += [f"path = Path({change.path!r})", "text = path.read_text()",
                      f"path.write_text(text.replace({change.old!r}, {change.new!r}, 1))"]
    return wrap(mind, [fence("bash", "\n".join([*lines, "EOF"]) + "\n")])


def sed(mind, changes):
    """sed -i on each line that changes, wherever it stands."""
    commands = []
    for change in changes:
        old, new = (change.old or "").splitlines(), change.new.splitlines()
        if change.old is None or len(old) != len(new):
            return python(mind, changes)
        for a, b in zip(old, new):
            if a != b:
                pattern = re.sub(r"([][\\/.*^$&])", r"\\\1", a.strip())
                text = re.sub(r"([\\/&])", r"\\\1", b.strip())
                quoted = f"s/{pattern}/{text}/".replace("'", "'\\''")
                commands.append(f"sed -i '{quoted}' {change.path}")
    return wrap(mind, [fence("sh", "".join(command + "\n" for command in commands))])


def with_command(form):
    """An edit and a command beside it."""
    def both(mind, changes):
        return form(mind, changes) + "\nNow run the tests:\n\n" + fence("sh", mind.task.test + "\n")
    return both


def draft_comment(mind, changes):
    """The path as a comment in the fence, above the blocks."""
    blocks = []
    for path, some in by_path(changes).items():
        inner = "".join(marks(change.old or "", change.new) for change in some)
        blocks.append(fence(language(path), f"{comment(path)} {path}\n{inner}"))
    return wrap(mind, blocks)
