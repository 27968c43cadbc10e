"""A tool that needs a password: the user types it into a panel, and nobody else ever sees it.

Each key is handled on a thread of its own, as some SDKs do. It stays in order all the same, because
the host sends the next key when the panel was drawn.
"""

import json
import sys
import threading

PANEL = "password"

lock = threading.Lock()
call = None
typed = []


def say(**frame):
    sys.stdout.write(json.dumps(frame, separators=(",", ":")) + "\n")
    sys.stdout.flush()


def view():
    return {
        "title": "Password for " + str(call["args"].get("url", "")),
        "lines": ["•" * len(typed)],
        "footer": "enter send   esc cancel",
    }


def answer(text, is_error=False):
    global call
    say(type="tool_result", id=call["id"], content=[{"type": "text", "text": text}], is_error=is_error)
    call = None
    typed.clear()


def called(frame):
    global call
    with lock:
        if call is not None:
            text = "another password is being asked for: try again later"
            say(type="tool_result", id=frame["id"], content=[{"type": "text", "text": text}], is_error=True)
            return
        call = frame
        say(type="open_panel", panel={"id": PANEL, **view()})


def key(frame):
    with lock:
        if call is None:
            return
        if frame["key"] == "enter":
            say(type="panel_close", panel_id=PANEL)
            # A real tool would use the password here.
            answer(f"fetched the URL (the password had {len(typed)} characters and is not shown)")
            return
        if frame["key"] == "rune":
            typed.append(frame["text"])
        elif frame["key"] == "backspace" and typed:
            typed.pop()
        say(type="panel_render", panel_id=PANEL, **view())


def closed(_):
    with lock:
        if call is not None:
            answer("cancelled: the user gave no password", is_error=True)


def cancelled(frame):
    global call
    with lock:
        if call is not None and call["id"] == frame["id"]:
            call = None
            typed.clear()


def greeted(_):
    say(
        type="register_tool",
        name="fetch_private",
        description="Fetch a URL that needs the user's password. The user is asked for it.",
        schema={
            "type": "object",
            "properties": {"url": {"type": "string"}},
            "required": ["url"],
        },
        interactive=True,
    )
    say(type="ready")


HANDLERS = {
    "hello_ack": greeted,
    "tool_call": called,
    "tool_cancel": cancelled,
    "panel_key": key,
    "panel_close": closed,
}

say(
    type="hello",
    protocol_version=2,
    name="secret",
    version="1.0.0",
    capabilities=["tools", "panels", "tool_cancel"],
)
for line in sys.stdin:
    frame = json.loads(line)
    if frame["type"] == "shutdown":
        break
    handler = HANDLERS.get(frame["type"])
    if handler is not None:
        threading.Thread(target=handler, args=(frame,), daemon=True).start()
