"""An extension that offers one tool and waits for the end."""
import json
import sys


def say(**frame):
    sys.stdout.write(json.dumps(frame, separators=(",", ":")) + "\n")
    sys.stdout.flush()


name = sys.argv[1]
say(type="hello", protocol_version=2, name=name, version="1.0.0", capabilities=[])
sys.stdin.readline()
say(type="register_tool", name="tool-" + name, description="does nothing", schema={"type": "object"})
say(type="ready")
for line in sys.stdin:
    if json.loads(line)["type"] == "shutdown":
        break
