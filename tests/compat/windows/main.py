"""Ends its lines as on Windows, and takes any end of line for one."""

import json
import sys

sys.stdout.reconfigure(newline="\r\n")


def say(**frame):
    print(json.dumps(frame), flush=True)


say(type="hello", protocol_version=2, name="windows", version="1.0.0", capabilities=["tools"])
for line in sys.stdin:
    frame = json.loads(line)
    if frame["type"] == "hello_ack":
        say(type="register_tool", name="window", description="Looks out", schema={"type": "object"})
        say(type="ready")
    elif frame["type"] == "tool_call":
        say(type="tool_result", id=frame["id"], content=[{"type": "text", "text": "rain\r\nand wind"}])
    elif frame["type"] == "shutdown":
        say(type="shutdown_ack")
        break
