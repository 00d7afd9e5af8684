"""kernel.py MODE CONNECTION_FILE: a kernel that answers the first question rightly, and a block in
the way that MODE says."""
import hashlib
import hmac
import json
import os
import signal
import sys
import uuid

mode, file = sys.argv[1:]
if mode == "dies":
    sys.exit("no kernel today")
connection = json.load(open(file))
if mode == "links":
    for name in ("1", "2", "3", "4", "5"):
        os.symlink("/dev/null", f"{connection['ip']}-{name}")
    sys.stdin.read()
    while True:
        pass

import zmq  # noqa: E402

if mode != "weak":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
key = connection["key"].encode()
context = zmq.Context()


def bound(kind, name):
    socket = context.socket(kind)
    socket.bind(f"ipc://{connection['ip']}-{connection[name + '_port']}")
    return socket


shell, iopub, control = bound(zmq.ROUTER, "shell"), bound(zmq.PUB,
                                                          "iopub"), bound(zmq.ROUTER, "control")
stdin, heart = bound(zmq.ROUTER, "stdin"), bound(zmq.REP, "hb")


def frames(kind, parent, content, key=key):
    header = {
        "msg_id": uuid.uuid4().hex, "msg_type": kind, "session": "s", "username": "k", "date": "",
        "version": "5.3"
    }
    parts = [
        p if isinstance(p, bytes) else json.dumps(p).encode() for p in (header, parent, {}, content)
    ]
    signature = hmac.new(key, b"".join(parts), hashlib.sha256).hexdigest().encode()
    return [b"<IDS|MSG>", signature, *parts]


class Block:
    def __init__(self, ids, parent):
        self.ids, self.parent = ids, parent

    def publish(self, kind, content, **how):
        iopub.send_multipart(
            [b"topic", *frames(kind, how.pop("parent", self.parent), content, **how)])

    def say(self, text, **how):
        self.publish("stream", {"name": "stdout", "text": text}, **how)

    def idle(self, **how):
        self.publish("status", {"execution_state": "idle"}, **how)

    def reply(self, kind="execute_reply", **how):
        shell.send_multipart(
            [*self.ids, *frames(kind, how.pop("parent", self.parent), {"status": "ok"}, **how)])

    def end(self):
        self.reply()
        self.idle()


def forged(block):
    block.say("forged output\n", key=b"not the key")
    block.reply(key=b"not the key")
    block.idle(key=b"not the key")


def broken(block):
    good = frames("stream", block.parent, {"name": "stdout", "text": "broken\n"})
    for bad in ([b""], [b"<IDS|MSG>"], good[:3], good[1:], [b"", b"", b""],
                [good[0], good[1], *good[2:5],
                 b""], [b"x"] * 40, good[:4] + [b"{", b"{}"], [good[0], b"0" * 64, *good[2:]]):
        iopub.send_multipart([b"topic", *bad])
        shell.send_multipart([*block.ids, *bad])
    block.say("whole\n")
    block.end()


def huge(block):
    block.publish("display_data", {"data": {"text/plain": "x" * 100_000_000}, "metadata": {}})
    block.end()


def deep(block):
    block.publish("display_data",
                  b'{"data":{"application/json":' + b"[" * 100_000 + b"]" * 100_000 + b"}}")
    block.say("after the deep\n")
    block.end()


def early(block):
    block.say("early\n")
    block.idle()
    block.reply()


def never_idle(block):
    block.say("replied\n")
    block.reply()


def foreign(block):
    other = {"msg_id": "another", "msg_type": "execute_request"}
    block.say("foreign\n", parent=other)
    block.reply(parent=other)
    block.idle(parent=other)


def twice(block):
    block.say("once\n")
    block.end()
    block.end()


def text(block):
    block.publish("stream", b'{"name":"stdout","text":"\xff\xfe \\u0000 \\u001b]0;x\\u0007\\n"}')
    block.publish("stream", b'{"name":"stdout","text":7}')
    block.end()


def names(block):
    data = {
        "text/html": "<b>x</b>", "image/png": "aGVsbG8=", "../../evil": "x",
        "application/pdf": "../../evil"
    }
    block.publish("display_data", {
        "data": data, "metadata": {"filename": "../../evil"}, "transient": {"display_id": "/etc/x"}
    })
    block.end()


def silent(block):
    while True:
        signal.pause()


weak = silent


def flood(block):
    while True:
        block.say("x" * 1_000_000)


def end_of_wire(block):
    for socket in (shell, iopub):
        socket.close(linger=0)
    while True:
        signal.pause()


while True:
    message = shell.recv_multipart()
    at = message.index(b"<IDS|MSG>")
    block = Block(message[:at], json.loads(message[at + 2]))
    if block.parent["msg_type"] == "kernel_info_request":
        block.reply("kernel_info_reply")
        block.idle()
    else:
        globals()[mode](block)
