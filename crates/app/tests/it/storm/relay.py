"""An extension with two tools: `NAME_echo` answers sooner, later, twice or never, and
`NAME_relay` has another tool run and passes on what came of it.

    relay.py NAME PIDS     appends its process id to the file PIDS
"""
import json
import os
import sys
import threading

NAME, PIDS = sys.argv[1:]
with open(PIDS, "a") as pids:
    pids.write(f"{os.getpid()}\n")

pen = threading.Lock()
relayed = {}  # our requests, with the calls that they are made for


def say(**frame):
    line = json.dumps(frame) + "\n"
    with pen:
        try:
            sys.stdout.write(line)
            sys.stdout.flush()
        except (BrokenPipeError, ValueError):
            pass  # the host has gone on without us


def result(call, text, **more):
    say(type="tool_result", id=call, content=[{"type": "text", "text": text}], **more)


def echo(call, args):
    def answer():
        for _ in range(2 if args["how"] == "twice" else 1):
            result(call, f"echo {args['n']}")

    if args["how"] == "never":
        return
    if args["after_ms"]:
        timer = threading.Timer(args["after_ms"] / 1000, answer)
        timer.daemon = True
        timer.start()
    else:
        answer()


def relay(call, args):
    request = f"{call}-below"
    relayed[request] = call
    say(type="call_tool", id=request, name=args["tool"], args=args["args"], parent_id=call)


say(
    type="hello",
    protocol_version=2,
    name=NAME,
    version="1.0.0",
    capabilities=["call_tool", "tool_cancel"],
)
for line in sys.stdin:
    frame = json.loads(line)
    kind = frame["type"]
    if kind == "hello_ack":
        for tool in ("echo", "relay"):
            say(type="register_tool", name=f"{NAME}_{tool}")
        say(type="ready")
    elif kind == "tool_call":
        tool = echo if frame["name"].endswith("echo") else relay
        tool(frame["id"], frame["args"])
    elif kind == "tool_result":
        call = relayed.pop(frame["id"])
        text = frame["content"][0]["text"] if frame["content"] else ""
        result(call, text, is_error=frame.get("is_error", False))
    elif kind == "shutdown":
        break
