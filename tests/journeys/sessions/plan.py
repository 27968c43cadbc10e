"""A plan for each branch: what a result brings as `details` comes back as `state`."""

import json
import sys

EVENTS = ["session_opened", "session_switched", "session_forked", "session_compacted"]

plan = None
heard = []


def send(**frame):
    sys.stdout.write(json.dumps(frame) + "\n")
    sys.stdout.flush()


def tool(name, deferred=False):
    schema = {"type": "object", "properties": {"plan": {}}}
    send(type="register_tool", name=name, description=name, schema=schema, deferred=deferred)


def answer(call, text, **more):
    content = [{"type": "text", "text": text}]
    send(type="tool_result", id=call["id"], content=content, **more)


def call(frame):
    global plan
    name = frame["name"]
    if name == "plan_set":
        plan = frame["args"].get("plan")
        answer(frame, "planned", details=plan)
    elif name == "plan_tell":
        answer(frame, f"plan {json.dumps(plan)} after {' '.join(heard) or 'nothing'}")
    elif name == "plan_open":
        answer(frame, "opened", activate_tools=["plan_more"])
    else:
        answer(frame, "more")


send(type="hello", name="plan", version="1.0.0", protocol_version=2)
for line in sys.stdin:
    frame = json.loads(line)
    kind = frame["type"]
    if kind == "hello_ack":
        send(type="subscribe", events=EVENTS)
        for name in ["plan_set", "plan_tell", "plan_open"]:
            tool(name)
        tool("plan_more", deferred=True)
        send(type="ready")
    elif kind == "event" and frame["event"] in EVENTS:
        plan = frame.get("state")
        heard.append(frame["event"])
    elif kind == "tool_call":
        call(frame)
    elif kind == "shutdown":
        send(type="shutdown_ack")
        break
