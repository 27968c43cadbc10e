#!/usr/bin/env python3
"""Two slash commands, and all of the protocol that they need."""
import json
import sys


def send(**frame):
    # One compact line a frame. Flushed, because stdout to a pipe is buffered.
    print(json.dumps(frame, separators=(",", ":")), flush=True)


send(type="hello", protocol_version=2, name="hello", version="1.0.0", capabilities=["commands"])

for line in sys.stdin:  # ends when the host closes our stdin, even without a goodbye
    frame = json.loads(line)
    kind = frame.get("type")
    if kind == "hello_ack":  # only now do we know who is listening, so register only now
        if frame.get("protocol_version") != 2:
            sys.exit(f"hello speaks protocol 2, this host answered {frame.get('protocol_version')}")
        send(type="register_command", name="hello", description="Let the model greet someone")
        send(type="register_command", name="summon", description="Show two notes, ask no model")
        send(type="ready")
    elif kind == "command_invoked" and frame["name"] == "hello":
        name = frame.get("args") or "the person at this keyboard"  # no args: no such field
        send(type="command_response", id=frame["id"], action="prompt",
             prompt=f"Greet {name} in one cheerful sentence.")
    elif kind == "command_invoked" and frame["name"] == "summon":
        send(type="notify", level="success", message="Something stirs in the pipe.")
        send(type="command_response", id=frame["id"], action="display", display="Hello from the other process.")
    elif kind == "shutdown":
        send(type="shutdown_ack")
        break
    # Every other frame is for someone newer than us: leave it alone.
