"""cases.py NAME: one conversation with rondo mcp in the repository of the current directory."""
import json
import os
import signal
import socket
import subprocess
import sys
import threading

import jsonschema

from client import (CAPABILITIES, CHEAT, META, RIGHT, SERVER, SLOW, VERSION, WRONG, Server, code,
                    no_work_is_left)

TOOLS = ["verify", "fix", "baseline", "status", "show"]


# --- The eras ---

def legacy():
    for asked, spoken in (("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-11-25"),
                          ("2024-11-05", "2025-11-25"), ("2025-03-26", "2025-11-25"),
                          ("2030-01-01", "2025-11-25")):
        server = Server()
        assert server.ask("ping")["result"] == {}
        assert code(server.ask("tools/list")) == -32602
        result = server.initialize(asked)
        assert result["protocolVersion"] == spoken, result
        assert result["serverInfo"]["name"] == "rondo" and "verify" in result["instructions"]
        assert set(result["capabilities"]) == {"tools", "resources"}
        assert "resultType" not in result and "_meta" not in result
        assert server.ask("ping")["result"] == {}
        for method in ("server/discover", "prompts/list", "logging/setLevel", "no/such"):
            assert code(server.ask(method)) == -32601, method
        tools = server.ask("tools/list")["result"]
        assert [tool["name"] for tool in tools["tools"]] == TOOLS and "ttlMs" not in tools
        assert server.close() == []
    server = Server()
    assert code(server.ask("initialize", {"capabilities": {}})) == -32602
    server.close()


def modern():
    server = Server()
    result = server.ask("server/discover", modern=True)["result"]
    assert result["resultType"] == "complete" and result["supportedVersions"] == ["2026-07-28"]
    assert result["ttlMs"] > 0 and result["cacheScope"] == "public"
    assert result["_meta"][SERVER]["name"] == "rondo"
    for method in ("initialize", "ping", "prompts/list", "subscriptions/listen"):
        assert code(server.ask(method, modern=True)) == -32601, method
    tools = server.ask("tools/list", modern=True)["result"]
    assert tools["resultType"] == "complete" and tools["cacheScope"] == "public"
    assert tools == server.ask("tools/list", modern=True)["result"]
    for meta, expected in (({}, -32602), ({VERSION: "2026-07-28"}, -32602),
                           ({CAPABILITIES: {}}, -32602), ({**META, VERSION: 7}, -32602),
                           ({**META, CAPABILITIES: []}, -32602),
                           ({**META, VERSION: "2025-11-25"}, -32022),
                           ({**META, VERSION: "2030-01-01"}, -32022)):
        for method in ("server/discover", "tools/list", "tools/call"):
            answer = server.ask(method, {"_meta": meta})
            assert code(answer) == expected, (meta, answer)
            if expected == -32022:
                assert answer["error"]["data"] == {
                    "supported": ["2026-07-28"], "requested": meta[VERSION]}
    assert code(server.ask("tools/list")) == -32602
    assert server.call("status", modern=True) == {"runs": []}
    assert server.close() == []


def both_at_once():
    server = Server()
    server.initialize()
    assert "resultType" in server.ask("server/discover", modern=True)["result"]
    assert "resultType" not in server.ask("tools/list")["result"]
    assert server.close() == []


# --- Tools ---

def schemas():
    server = Server()
    server.initialize()
    for tool in server.ask("tools/list")["result"]["tools"]:
        assert tool["inputSchema"]["additionalProperties"] is False
        for schema in (tool["inputSchema"], tool["outputSchema"]):
            assert schema["type"] == "object"
            jsonschema.Draft202012Validator.check_schema(schema)
        for name, property in tool["inputSchema"]["properties"].items():
            assert property["description"], (tool["name"], name)
        assert len(tool["description"]) > 80
        reads = tool["annotations"]["readOnlyHint"]
        assert reads == (tool["name"] != "fix") and not tool["annotations"]["destructiveHint"]
    assert code(server.ask("tools/list", {"cursor": "x"})) == -32602
    server.close()


def judgements(is_modern=False):
    server = Server()
    server.initialize()
    told = server.call("baseline", modern=is_modern)
    assert told["outcome"] == "tests_fail" and told["command"] == "make check", told
    assert [test["id"] for test in told["suite"]["goal"]] == ["area"], told
    told = server.call("verify", modern=is_modern, patch=RIGHT)
    assert told["outcome"] == "verified", told
    assert told["reason"] == "1 test fixed, nothing lost", told
    told = server.call("verify", modern=is_modern, patch=WRONG, fixed=["area"])
    assert told["outcome"] == "not_verified", told
    told = server.call("verify", modern=is_modern, patch=CHEAT)
    assert told["outcome"] == "refused" and "rule protected-test" in told["reason"], told
    tests = RIGHT.replace("shapes.py", "tests/run.py").replace("-    return", "+    return")
    assert "(given as text)" in server.call("verify", modern=is_modern, patch=tests)
    told = server.call("fix", modern=is_modern)
    assert told["outcome"] == "verified" and told["fix"]["branch"].startswith("rondo/"), told
    subprocess.run(["git", "rev-parse", "-q", "--verify", told["fix"]["branch"]], check=True)
    told = server.call("verify", modern=is_modern, rev=told["fix"]["branch"])
    assert told["outcome"] == "verified" and told["fix"]["stat"].startswith("shapes.py"), told
    assert server.close() == [] and no_work_is_left()


def judgements_modern():
    judgements(True)


def uncommitted():
    server = Server()
    server.initialize()
    assert "there is nothing to verify" in server.call("verify")
    with open("shapes.py") as file:
        text = file.read()
    with open("shapes.py", "w") as file:
        file.write(text.replace("width + height", "width * height"))
    assert server.call("verify")["outcome"] == "verified"
    told = server.call("baseline")  # at HEAD, whatever the work is
    assert told["outcome"] == "tests_fail", told
    assert server.call("fix")["outcome"] == "nothing_fails"
    server.close()


def bad_arguments():
    server = Server()
    server.initialize()
    for arguments, words in (({"rave": "x"}, "unknown argument 'rave', did you mean 'rev'?"),
                             ({"time": "soon"}, "time must be a duration"),
                             ({"rev": {"a": 1}}, "'rev' must be a text"),
                             ({"fixed": {"a": 1}}, "'fixed' must be a list of texts"),
                             ({"fixed": [["a"]]}, "'fixed' must be"),
                             ({"rev": "x", "patch": "y"}, "rev and patch exclude each other"),
                             ({"rev": "nowhere"}, "nowhere"),
                             ({"patch": "no patch"}, "(given as text)"),
                             ({"patch": ""}, "'patch' is empty: leave it out"),
                             ({"rev": "HEAD", "base": "nowhere"}, "nowhere"),
                             ({"patch": RIGHT, "fixed": ["double"]}, "does not fail at the base"),
                             ({"repo": "nowhere"}, "is nothing below the directories")):
        said = server.call("verify", **arguments)
        assert isinstance(said, str) and words in said, (arguments, said)
    assert "'nobody'" in server.call("fix", coder="nobody")
    assert "none is named" in server.call("fix", coder="model")
    assert "no run begins with 'x'" in server.call("show", run="x")
    assert server.call("verify", rev=None, patch=RIGHT, fixed=None)["outcome"] == "verified"
    for params in ({"name": "no"}, {}, {"name": 5}, {"name": "verify", "arguments": [1]}):
        assert code(server.ask("tools/call", params)) == -32602, params
    assert code(server.ask("tools/call", {"name": "no"}, modern=True)) == -32602
    server.close()


def cannot_judge():
    server = Server()
    server.initialize()
    said = server.call("verify", patch=RIGHT, test="echo 1..1; echo ok 1 - fine; exit 3")
    assert said.startswith("cannot judge: ") and "help: " in said, said
    said = server.call("baseline", test="no-such-program")
    assert said.startswith("cannot judge: "), said
    server.close()


def many_failures():
    """More than a model likes to read."""
    server = Server()
    server.initialize()
    suite = 'echo 1..80; for n in $(seq 80); do echo "not ok $n - test $n"; done; exit 1'
    told = server.call("baseline", test=suite)["suite"]
    assert told["tests"] == 80 and len(told["goal"]) == 50 and told["untold"] == 30, told
    told = server.call("verify", patch=RIGHT, test=suite, goal="test")["tests"]
    assert len(told["goal"]) == 50 and told["untold"] == 30, told
    assert len(server.call("show")["report"]["tests"]["goal"]) == 80
    assert len(server.call("baseline", test=suite, goal="test 7*")["suite"]["goal"]) == 11
    server.close()


def reports():
    server = Server()
    server.initialize()
    assert "there is no run yet" in server.call("show")
    run = server.call("fix")["run"]
    told = server.call("show")
    assert told["run"] == run and told["state"] == "ended", told
    assert told["report"]["outcome"] == "verified" and "diff" not in told
    assert "+    return width * height" in server.call("show", run=run[:-2], diff=True)["diff"]
    rows = server.call("status")["runs"]
    assert rows == [{"run": run, "state": "ended", "outcome": "verified"}], rows
    listed = server.ask("resources/list")["result"]["resources"]
    uris = [row["uri"].rpartition("/")[2] for row in listed]
    assert uris == ["report.md", "report.json", "patch.diff", "scenario.json"], uris
    for row in listed:
        contents, = server.ask("resources/read", {"uri": row["uri"]})["result"]["contents"]
        assert contents["uri"] == row["uri"] and contents["mimeType"] == row["mimeType"]
        if row["uri"].endswith(".json"):
            json.loads(contents["text"])
    assert json.loads(contents["text"])["workspace"]["repo"] == os.getcwd()
    templates = server.ask("resources/templates/list", modern=True)["result"]
    assert "rondo://runs/{run}/patch.diff" in json.dumps(templates)
    for uri in ("rondo://runs/x/report.md", f"rondo://runs/{run}/../{run}/report.md",
                f"rondo://runs/{run}/attempts", "rondo://runs/../report.md", "file:///etc/passwd",
                f"rondo://runs/{run}/", ""):
        answer = server.ask("resources/read", {"uri": uri})
        assert code(answer) == -32002 and answer["error"]["data"]["uri"] == uri, answer
        assert code(server.ask("resources/read", {"uri": uri}, modern=True)) == -32602
    assert code(server.ask("resources/list", {"cursor": "x"})) == -32602
    # Another server, which may touch another directory, knows nothing of it.
    other = Server("--root", "tests")
    other.initialize()
    assert other.call("status") == {"runs": []}
    assert f"no run begins with '{run}'" in other.call("show", run=run)
    assert other.ask("resources/list")["result"]["resources"] == []
    uri = {"uri": f"rondo://runs/{run}/report.md"}
    assert code(other.ask("resources/read", uri)) == -32002
    other.close()
    server.close()


# --- Messages ---

def wrong_messages():
    server = Server()
    server.initialize()
    for line, expected in ((b"[]", -32600), (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600),
                           (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
                           (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600),
                           (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600),
                           (b'{"jsonrpc":"2.0"', -32700), (b"ping", -32700),
                           (b'{"jsonrpc":"2.0","method":"\xff"}', -32700),
                           (b"[" * 100000, -32700), (b"{}", -32600), (b"7", -32600)):
        server.write(line + b"\n")
        answer = server.answer(None)
        assert code(answer) == expected, (line, answer)
    for line, number, expected in (
            (b'{"jsonrpc":"2.0","id":1', 1, -32700),
            (b'{"jsonrpc":"2.0","id":2,"method":"\xff"}', 2, -32700),
            (b'{"jsonrpc":"2.0","method":"\\u0000","id":"3"}', "3", -32700),
            (b'{"jsonrpc":"1.0","id":5,"method":"ping"}', 5, -32600),
            (b'{"id":"a","method":"ping"}', "a", -32600),
            (b'{"jsonrpc":"2.0","id":7,"method":9}', 7, -32600),
            (b'{"jsonrpc":"2.0","id":8,"method":"ping","params":"x"}', 8, -32600),
            (b'{"jsonrpc":"2.0","id":9,"method":"ping","params":[]}', 9, -32602)):
        server.write(line + b"\n")
        assert code(server.answer(number)) == expected, line
    # Answers to what nobody asked, and notifications that nobody knows, are passed over.
    server.say(id=99, result={})
    server.say(id="rondo-roots-1", result={"roots": []})
    server.say(id=None, error={"code": -32700, "message": "?"})
    server.say(method="notifications/what", params={})
    server.write(b"\n \r\n\t\n")
    assert server.ask("ping")["result"] == {}
    assert server.kept == [], server.kept
    assert server.close() == []


def ids():
    process = subprocess.Popen([os.environ["RONDO"], "mcp"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE)
    sent = ["0", "-7", "1.0", "1e2", "12345678901234567890", '"a\\u0062\\n"', '""']
    for number in sent:
        process.stdin.write(b'{"jsonrpc":"2.0","id":%s,"method":"ping"}\r\n' % number.encode())
        process.stdin.flush()
        line = process.stdout.readline().decode()
        assert line == '{"jsonrpc":"2.0","id":%s,"result":{}}\n' % number, line
    process.stdin.close()
    assert process.wait() == 0


def large_line():
    server = Server()
    server.initialize()
    head = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"'
    server.write(head)
    for _ in range(100):
        server.write(b"x" * 1000000)
    answer = server.answer(None)  # before the line has ended
    assert code(answer) == -32700 and "32 MiB" in answer["error"]["message"], answer
    server.write(b'"}}\n')
    assert server.ask("ping")["result"] == {}
    with open(f"/proc/{server.process.pid}/status") as status:
        peak = next(line for line in status if line.startswith("VmHWM"))
    if os.environ["RONDO_BUILD"].endswith("release"):  # sanitizers take more
        assert int(peak.split()[1]) < 100000, peak
    assert server.close() == []


def many_requests():
    """A client that does not listen while it asks."""
    server = Server()
    server.initialize()
    for number in range(3000):
        server.say(id=f"n{number}", method="tools/list")
    for number in range(3000):
        assert "result" in server.answer(f"n{number}")
    server.close()


def half_a_line():
    server = Server()
    server.initialize()
    server.write(b'{"jsonrpc":"2.0","id":50,"method":"ping"}')
    assert server.close() == []


# --- Calls ---

def parallel():
    server = Server()
    server.initialize()
    patches = [RIGHT, WRONG] * 3
    numbers = [server.start("verify", token=f"t{i}", patch=patch, fixed=["area"])
               for i, patch in enumerate(patches)]
    fix = server.start("fix", modern=True)
    for i, number in reversed(list(enumerate(numbers))):
        told = server.result("verify", number)
        assert told["outcome"] == ("not_verified" if i % 2 else "verified"), (i, told)
    assert server.result("fix", fix)["outcome"] == "verified"
    for i in range(len(patches)):
        counts = [message["params"]["progress"] for message in server.all
                  if message.get("params", {}).get("progressToken") == f"t{i}"]
        assert len(counts) >= 2 and counts == sorted(set(counts)), counts
    assert server.close() == [] and no_work_is_left()


def cancel():
    server = Server()
    server.initialize()
    for i, (name, number) in enumerate((("verify", 100), ("fix", "a\u00e9\n"), ("baseline", 2.0))):
        arguments = {"patch": RIGHT} if name == "verify" else {}
        server.start(name, token=i, number=number, test=SLOW, **arguments)
        server.progress(i, "baseline")
        row, = [row for row in server.call("status")["runs"] if row["state"] == "running"]
        assert row["tool"] == name and row["stage"] == "baseline", row
        assert row["repo"] == os.getcwd() and row["elapsed_ms"] > 0
        other = server.start(name, token="other", number=f"other {i}", test=SLOW, **arguments)
        server.progress("other", "baseline")
        assert code(server.ask("ping", number=number)) == -32600  # the id is in use
        server.cancel(number)
        server.cancel("nobody")
        server.cancel({})
        while [row for row in server.call("status")["runs"] if row.get("tool")][1:]:
            pass
        server.cancel(other)
        while [row for row in server.call("status")["runs"] if row.get("tool")]:
            pass
        assert no_work_is_left(), name
        assert server.ask("ping", number=number)["result"] == {}  # it may be used anew
        server.cancel(number)  # that is answered
    told = server.call("verify", patch=RIGHT)
    assert told["outcome"] == "verified"
    said = [message for message in server.kept if "id" in message]
    assert said == [] and server.close() == [], said


def progress():
    server = Server()
    server.initialize()
    number = server.start("baseline", token="tok \u00e9", test=SLOW)
    silent = server.start("baseline", test=SLOW)
    seen = [server.progress("tok \u00e9", "baseline") for _ in range(2)]
    assert "running the suite" in seen[1]["message"], seen
    assert seen[0]["progress"] < seen[1]["progress"]
    server.cancel(number)
    server.cancel(silent)
    server.close()


def too_many():
    server = Server()
    server.initialize()
    numbers = [server.start("baseline", token=i, test=SLOW) for i in range(16)]
    for i in range(16):
        server.progress(i, "baseline")
    assert "16 calls go on" in server.call("status")
    server.cancel(numbers[0])
    while isinstance(rows := server.call("status"), str):
        pass
    assert len([row for row in rows["runs"] if row.get("tool")]) >= 15
    assert server.close() == [] and no_work_is_left()


def closes_in_mid_call():
    for name in ("verify", "fix", "baseline"):
        server = Server()
        server.initialize()
        arguments = {"patch": RIGHT} if name == "verify" else {}
        server.start(name, token="t", test=SLOW, **arguments)
        server.progress("t", "baseline")
        assert server.close() == [] and no_work_is_left(), name


def closes_while_fixing():
    """In the middle of the search, where candidates run side by side: none of them ends before."""
    server = Server()
    server.initialize()
    server.start("fix", token="t", test="grep -q 'width + height' *.py || sleep 1000; "
                 "python3 -S tests/run.py")
    server.progress("t", "fixing")
    assert server.close() == [] and no_work_is_left()


def nobody_listens():
    """The server learns it when it has something to say, and its input stays open."""
    reading, writing = os.pipe()
    process = subprocess.Popen([os.environ["RONDO"], "mcp"], stdin=subprocess.PIPE, stdout=writing)
    os.close(writing)
    os.close(reading)
    process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    process.stdin.flush()
    assert process.wait(timeout=60) == 0
    process.stdin.close()
    server = Server()
    server.initialize()
    server.start("baseline", test=SLOW)
    while not server.call("status")["runs"]:
        pass
    os.dup2(os.open(os.devnull, os.O_RDONLY), server.process.stdout.fileno())
    while server.process.poll() is None:
        try:
            server.say(id="x", method="ping")
        except BrokenPipeError:
            break
    assert server.process.wait(timeout=60) == 0 and no_work_is_left()


def terminated():
    server = Server()
    server.initialize()
    server.start("baseline", token="t", test=SLOW)
    server.progress("t", "baseline")
    server.process.send_signal(signal.SIGTERM)
    assert server.close(143) == [] and no_work_is_left()


# --- Where it may work ---

def outside():
    top = os.path.dirname(os.getcwd())
    server = Server()
    server.initialize()
    os.symlink(f"{top}/other", "link")
    for path in ("..", "../other", f"{top}/other", "link", "/", "/etc", "link/../../other",
                 "tests/../..", "no/such", f"{top}/no-such"):
        said = server.call("verify", repo=path, patch=RIGHT)
        assert "is nothing below the directories" in said, (path, said)
    assert server.call("verify", repo="tests", patch=RIGHT, test="make -C .. check")[
        "outcome"] == "verified"
    # A file is a file, not a patch and no revision.
    with open(f"{top}/right.diff", "w") as file:
        file.write(RIGHT)
    assert "right.diff" in server.call("verify", rev=f"{top}/right.diff")
    server.close()
    server = Server("--root", "tests")  # the repository is above it
    server.initialize()
    said = server.call("verify", patch=RIGHT)
    assert f"is {os.getcwd()}, outside of the directories" in said, said
    server.close()


def foreign_data():
    """A directory whose file .git names the data of another repository."""
    top = os.path.dirname(os.getcwd())
    os.makedirs(f"{top}/trap/in")
    subprocess.run(["cp", "-r", "shapes.py", "Makefile", "tests", f"{top}/trap/in"], check=True)
    with open(f"{top}/trap/in/.git", "w") as file:
        file.write(f"gitdir: {os.getcwd()}/.git\n")
    server = Server("--root", f"{top}/trap")
    server.initialize()
    said = server.call("fix", repo="in")
    assert f"data of '{top}/trap/in' is {os.getcwd()}/.git, outside" in said, said
    server.close()
    server = Server("--root", f"{top}/trap", "--root", f"{os.getcwd()}/.git")
    server.initialize()
    assert server.call("fix", repo="in")["outcome"] == "verified"
    server.close()


def several_roots():
    top = os.path.dirname(os.getcwd())
    server = Server("--root", ".", "--root", "../other", cwd=os.getcwd())
    server.initialize(roots={})
    assert "which repository? repo must name one of" in server.call("baseline")
    for path in (os.getcwd(), f"{top}/other", "."):
        assert server.call("baseline", repo=path)["outcome"] == "tests_fail", path
    assert server.kept == []  # the client is not asked for its roots
    server.close()
    server = Server("--root", "nowhere")
    assert server.close(2) == []


def client_roots():
    top = os.path.dirname(os.getcwd())
    server = Server()
    server.initialize(roots={"listChanged": True})
    asked = server.hear(lambda message: message.get("method") == "roots/list")
    first = server.start("baseline")  # waits for the answer
    assert server.ask("resources/list")["result"]["resources"] == []  # does not
    roots = [{"uri": f"file://{top}/a%20name"}, {"uri": "https://example.org/"},
             {"uri": "file:///no/such"}]
    server.say(id=asked["id"], result={"roots": roots})
    told = server.result("baseline", first)
    assert told["root"] == f"{top}/a name", told
    assert "is nothing below" in server.call("baseline", repo=os.getcwd())
    server.say(method="notifications/roots/list_changed")
    asked = server.hear(lambda message: message.get("method") == "roots/list")
    server.say(id=asked["id"], result={"roots": [{"uri": f"file://localhost{top}/other"}]})
    assert server.call("baseline")["root"] == f"{top}/other"
    server.say(method="notifications/roots/list_changed")
    asked = server.hear(lambda message: message.get("method") == "roots/list")
    server.say(id=asked["id"], result={"roots": [{"uri": "file:///no/such"}]})
    assert "none that the client named is there" in server.call("baseline")
    server.say(method="notifications/roots/list_changed")
    asked = server.hear(lambda message: message.get("method") == "roots/list")
    server.say(id=asked["id"], result={"roots": []})  # it has none to name
    assert server.call("baseline")["root"] == os.getcwd()
    server.close()
    server = Server()  # a client that closes in place of an answer
    server.initialize(roots={})
    server.hear(lambda message: message.get("method") == "roots/list")
    server.start("baseline")
    server.close()
    server = Server()  # a client that offers them, and then refuses
    server.initialize(roots={})
    asked = server.hear(lambda message: message.get("method") == "roots/list")
    server.say(id=asked["id"], error={"code": -32601, "message": "no"})
    assert server.call("baseline")["root"] == os.getcwd()
    server.close()


def options_hold():
    """What the user set holds for all calls, and no argument widens it."""
    server = Server("--protect", "shapes.py", "--test", "make check")
    server.initialize()
    told = server.call("verify", patch=RIGHT)
    assert told["outcome"] == "refused" and "shapes.py" in told["reason"], told
    for argument in ("allow-edit", "executor", "set", "mount", "setup", "branch", "apply"):
        assert "unknown argument" in server.call("verify", patch=RIGHT, **{argument: "x"})
    server.close()


# --- By a socket ---

def connected():
    """The server outside, at the end of a socket that the shim connects to."""
    path = os.path.join(os.environ["HOME"], "socket")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(1)
    served = []

    def serve():
        connection, _ = listener.accept()
        with connection:
            served.append(subprocess.run(
                [os.environ["RONDO"], "mcp", "--executor", os.environ["EXECUTOR"]],
                stdin=connection.fileno(), stdout=connection.fileno(), timeout=240).returncode)
    thread = threading.Thread(target=serve)
    thread.start()
    shim = Server(command=[os.environ["RONDO"], "mcp", "--connect", path], cwd="/")
    shim.initialize()
    assert shim.call("verify", token=1, patch=RIGHT)["outcome"] == "verified"
    shim.write(b'{"jsonrpc":"2.0","id":70,"method":"' + b"x" * 3000000 + b'"}\n')
    assert code(shim.answer(70)) == -32601
    assert shim.close() == []
    thread.join(timeout=240)
    assert served == [0], served
    listener.close()
    for wrong in (path, "no-such-socket", "x" * 200):
        process = subprocess.run([os.environ["RONDO"], "mcp", "--connect", wrong],
                                 stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        assert process.returncode == 2 and b"socket" in process.stderr, process.stderr
        assert process.stdout == b""


globals()[sys.argv[1]]()
