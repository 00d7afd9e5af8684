"""How the suite of an npm package is run: by what its package.json says, without what only checks
style, builds, or publishes."""
import json
import re

SCRIPTS = ("tests-only", "unit", "test:unit", "test:js", "mocha", "tap", "test")
RUNNER = re.compile(r"\b(tape|mocha|node --test|jest|vitest run)\b(?! *\.js)([^&|;]*)")
NOT_NEEDED = re.compile(
    r"lint|prettier|nyc|^aud$|npmignore|publish|changelog|evalmd|standard|typescript|^@types|tsd|"
    r"commit|husky|cover|codecov|rollup|webpack|babel|browserify|karma|bench|size-limit|snazzy|"
    r"airtap|^xo$|^c8$|istanbul|jsdoc|release|microtime|zuul|testling|sauce|uglify|terser|grunt|"
    r"gulp|esbuild|nodemon|covert|jscs|jshint|^tap$|electron|playwright|proxyquire-univ")


def loose(version):
    """The same for each release of a while: ^5.1.2 may become any 5, so 5 is as good."""
    parts = version.lstrip("^~=v").split(".")
    return {"^": parts[0] if parts[0] != "0" else ".".join(parts[:2]),
            "~": ".".join(parts[:2])}.get(version[0], version.lstrip("=v"))


def read(text):
    """What has to be installed, and the commands to try."""
    try:
        told = json.loads(text)
    except ValueError:
        return [], []
    needed = {**told.get("dependencies", {}), **{
        name: version for name, version in (told.get("devDependencies") or {}).items()
        if not NOT_NEEDED.search(name)
    }}
    beside = [f"{name}@{loose(version)}" for name, version in sorted(needed.items())
              if re.fullmatch(r"[~^=v]?\d[\w.+-]*", version)]
    scripts = told.get("scripts") or {}
    commands = []
    for name in SCRIPTS:
        found = RUNNER.search(scripts.get(name, ""))
        if found:
            command = " ".join((found[1] + found[2]).split())
            commands.append(command if command.startswith("node ") else "npx " + command)
    return beside, list(dict.fromkeys(commands))
