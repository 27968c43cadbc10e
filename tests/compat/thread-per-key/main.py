"""Works on each key in a thread of its own, as one goroutine for each does: they overtake each other."""

import json
import random
import sys
import threading
import time

lock = threading.Lock()
typed = []


def say(**frame):
    with lock:
        print(json.dumps(frame), flush=True)


def work(key):
    time.sleep(random.random() / 200)
    typed.append(key.get("text", ""))
    say(type="panel_render", panel_id="pad", lines=["".join(typed)])


say(type="hello", protocol_version=2, name="thread-per-key", version="1.0.0", capabilities=["panels"])
for line in sys.stdin:
    frame = json.loads(line)
    if frame["type"] == "hello_ack":
        say(type="ready")
        say(type="open_panel", panel={"id": "pad", "title": "Pad", "lines": ["type"]})
    elif frame["type"] == "panel_key":
        threading.Thread(target=work, args=(frame,)).start()
    elif frame["type"] == "shutdown":
        say(type="shutdown_ack")
        break
