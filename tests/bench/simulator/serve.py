"""The simulated models behind Chat Completions, on a free port of 127.0.0.1. The name of a model,
TRAIT.TASK.SEED, says which mind answers."""
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import tasks
import traits
from mind import Mind, reply_to

TASKS = {task.name: task for task in tasks.read_all()}
TRAITS = {trait.name: trait for trait in traits.TRAITS}
PIECE = 200


def answer(request):
    trait, task, seed = request["model"].split(".")
    return reply_to(Mind(TASKS[task], TRAITS[trait], int(seed)), request["messages"])


def usage_of(request, reply):
    """About four characters a token, as of English and code."""
    asked = sum(len(message["content"]) for message in request["messages"]) // 4
    said = len(reply.text) // 4 + 1
    return {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}


def chunks(request, reply):
    for i in range(0, len(reply.text), PIECE):
        delta = {"role": "assistant", "content": reply.text[i : i + PIECE]}
        yield {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield {"choices": [{"index": 0, "delta": {}, "finish_reason": reply.finish}]}
    yield {"choices": [], "usage": usage_of(request, reply)}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        reply = answer(request)
        self.server.heard(request["model"], reply.text)
        head = {"id": "sim", "object": "chat.completion.chunk", "created": 1,
                "model": request["model"]}
        body = b"".join(b"data: %s\n\n" % json.dumps({**head, **chunk}).encode()
                        for chunk in chunks(request, reply)) + b"data: [DONE]\n\n"
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def start(heard):
    """Serves in the background; gives the address. Tells of each model what it says."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.heard = heard
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/v1"
