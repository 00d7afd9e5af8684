"""A client of rondo mcp: it says lines and checks each that comes back."""
import json
import os
import queue
import subprocess
import threading

import jsonschema

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
SERVER = "io.modelcontextprotocol/serverInfo"
META = {VERSION: "2026-07-28", CAPABILITIES: {}}
SOON = 60

RIGHT = """--- a/shapes.py
+++ b/shapes.py
@@ -1,2 +1,2 @@
 def area(width, height):
-    return width + height
+    return width * height
"""
WRONG = RIGHT.replace("width * height", "width - height")
CHEAT = """--- a/tests/run.py
+++ b/tests/run.py
@@ -9,3 +9,3 @@
 
 print("1..2")
-test(1, "area", area(3, 5), 15)
+test(1, "area", area(3, 5), 8)
"""
SLOW = "echo 1..1; sleep 1000"  # it is cancelled before


class Server:
    def __init__(self, *options, cwd=None, command=None):
        command = command or [os.environ["RONDO"], "mcp", "--executor", os.environ["EXECUTOR"]]
        self.process = subprocess.Popen(
            command + list(options), cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        self.come = queue.Queue()
        self.kept = []
        self.all = []  # that ever came
        self.schemas = {}
        self.number = 0
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            assert line.endswith(b"\n"), line
            self.come.put(json.loads(line))
        self.come.put(None)

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def say(self, **message):
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def hear(self, accepts):
        """The next message that is accepted; others are kept for later."""
        for message in self.kept:
            if accepts(message):
                self.kept.remove(message)
                return message
        while True:
            message = self.come.get(timeout=SOON)
            assert message is not None, "the server has closed"
            assert message["jsonrpc"] == "2.0", message
            self.all.append(message)
            if accepts(message):
                return message
            self.kept.append(message)

    def answer(self, number):
        return self.hear(lambda message: message.get("id") == number and "method" not in message)

    def ask(self, method, params=None, modern=False, number=None):
        number = self.send(method, params, modern, number)
        return self.answer(number)

    def send(self, method, params=None, modern=False, number=None):
        if number is None:
            self.number += 1
            number = self.number
        params = dict(params or {})
        if modern:
            params["_meta"] = {**META, **params.get("_meta", {})}
        self.say(id=number, method=method, params=params)
        return number

    def initialize(self, version="2025-11-25", **capabilities):
        answer = self.ask("initialize", {
            "protocolVersion": version, "capabilities": capabilities,
            "clientInfo": {"name": "test", "version": "1"}})
        self.say(method="notifications/initialized")
        return answer["result"]

    def start(self, name, token=None, modern=False, number=None, **arguments):
        params = {"name": name, "arguments": arguments}
        if token is not None:
            params["_meta"] = {"progressToken": token}
        return self.send("tools/call", params, modern, number)

    def call(self, name, token=None, modern=False, **arguments):
        return self.result(name, self.start(name, token, modern, **arguments))

    def result(self, name, number):
        """What a tool gave, as its schema says; where that is no judgement, the words."""
        result = self.answer(number)["result"]
        texts = [block["text"] for block in result["content"] if block["type"] == "text"]
        if "structuredContent" in result:
            if not self.schemas:
                tools = self.ask("tools/list", modern="_meta" in result)["result"]["tools"]
                self.schemas = {tool["name"]: tool["outputSchema"] for tool in tools}
            jsonschema.validate(result["structuredContent"], self.schemas[name])
            assert json.loads(texts[-1]) == result["structuredContent"], texts
        if result.get("isError"):
            return texts[0]
        return result["structuredContent"]

    def progress(self, token, stage=""):
        return self.hear(lambda message: message.get("method") == "notifications/progress"
                         and message["params"]["progressToken"] == token
                         and message["params"]["message"].startswith(stage))["params"]

    def cancel(self, number):
        self.say(method="notifications/cancelled", params={"requestId": number})

    def close(self, expected=0):
        """The end of its input: all that it still says, and how it ends."""
        if not self.process.stdin.closed:
            self.process.stdin.close()
        status = self.process.wait(timeout=SOON)
        self.reader.join(timeout=SOON)
        rest = []
        while (message := self.come.get(timeout=SOON)) is not None:
            rest.append(message)
        said = self.process.stderr.read().decode()
        assert status == expected, (status, said)
        assert expected or not said, said
        return rest


def code(answer):
    return answer["error"]["code"]


def no_work_is_left():
    work = os.path.join(os.environ["XDG_CACHE_HOME"], "rondo", "work")
    return not os.path.isdir(work) or not os.listdir(work)
