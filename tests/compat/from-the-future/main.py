"""Sends, between all frames that count, frames and fields that no host knows, and blank lines."""

import json
import sys

UNKNOWN = {"x-trace": [1, {"type": "shutdown"}], "zzz": None}


def say(**frame):
    print(json.dumps({"type": "hologram", "id": frame.get("id", "h-1"), "depth": 3}))
    print()
    print(json.dumps({**frame, **UNKNOWN}), flush=True)


# The first line must be the hello, though it may have fields of tomorrow.
print(json.dumps({"type": "hello", "protocol_version": 2, "name": "from-the-future", "version": "9.0.0", "capabilities": ["tools", "telepathy"], **UNKNOWN}), flush=True)
for line in sys.stdin:
    frame = json.loads(line)
    if frame["type"] == "hello_ack":
        say(type="register_tool", name="tomorrow", description="Knows", schema={"type": "object"}, mood="calm")
        say(type="subscribe", events=["turn_end"], intercept=["tool_call"], dreams=["all"])
        say(type="ready")
    elif frame["type"] == "event_intercept":
        say(type="event_intercept_response", id=frame["id"], verdict="fine")
    elif frame["type"] == "tool_call":
        content = [{"type": "text", "text": "it will rain", "certainty": 0.9}]
        say(type="tool_result", id=frame["id"], content=content, aura="green")
    elif frame["type"] == "shutdown":
        break
