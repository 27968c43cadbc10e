"""Writes JSON as Go's encoder does by default: `<`, `>` and `&` escaped, and here keys sorted, too."""

import json
import sys


def say(**frame):
    text = json.dumps(frame, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    print(text, flush=True)


def handle(frame):
    if frame["type"] == "tool_call":
        say(type="tool_result", id=frame["id"], content=[{"type": "text", "text": frame["args"]["html"]}])
    elif frame["type"] == "event_intercept" and frame["tool_name"] == "bash":
        say(type="event_intercept_response", id=frame["id"], block=True, reason="no >, no <, no &&")
    elif frame["type"] == "event_intercept":
        say(type="event_intercept_response", id=frame["id"])
    elif frame["type"] == "shutdown":
        say(type="shutdown_ack")
        sys.exit()


say(type="hello", name="go-style", version="1.0.0", capabilities=["tools", "events"])
say(type="register_tool", name="html", description="<b>R&D</b>", schema={"type": "object", "properties": {"html": {"type": "string", "description": "a < b && b > c"}}})
say(type="subscribe", events=[], intercept=["tool_call"])
say(type="ready")
for line in sys.stdin:
    handle(json.loads(line))
