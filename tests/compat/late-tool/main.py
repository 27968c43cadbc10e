"""Registers a tool, and takes it back, when a command says so, long after `ready`."""

import json
import sys


def say(**frame):
    print(json.dumps(frame), flush=True)


say(type="hello", name="late-tool", version="1.0.0", capabilities=["commands", "tools"])
say(type="register_command", name="more")
say(type="ready")
for line in sys.stdin:
    frame = json.loads(line)
    if frame["type"] == "command_invoked":
        say(type="register_tool", name="afterthought", description="Came late", schema={"type": "object"})
        say(type="register_command", name="even-more")
        say(type="command_response", id=frame["id"], action="display", display="there is more now")
    elif frame["type"] == "tool_call":
        say(type="tool_result", id=frame["id"], content=[{"type": "text", "text": "better late"}])
    elif frame["type"] == "shutdown":
        break
