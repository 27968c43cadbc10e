"""A tool that asks the user: it opens a panel in the middle of its call and answers with the key."""

import json
import sys

PANEL = "ask"
FOOTER = "y yes   n no   esc no"

# The calls that wait for the user, the oldest first. Only that one has the panel.
waiting = []


def say(**frame):
    print(json.dumps(frame, separators=(",", ":")), flush=True)


def ask(hint=None):
    """Shows the question of the oldest call."""
    call = waiting[0]
    lines = [str(call["args"].get("action", "")), *([] if hint is None else ["", hint])]
    panel = {"id": PANEL, "title": "May the model do this?", "lines": lines, "footer": FOOTER}
    if hint is None:
        say(type="open_panel", panel=panel)
    else:
        say(type="panel_render", panel_id=PANEL, title=panel["title"], lines=lines, footer=FOOTER)


def answer(text, is_error):
    call = waiting.pop(0)
    say(type="tool_result", id=call["id"], content=[{"type": "text", "text": text}], is_error=is_error)
    if waiting:
        ask()


def key(frame):
    if not waiting:
        return
    pressed = frame.get("text", "").lower() if frame["key"] == "rune" else frame["key"]
    if pressed not in ("y", "n", "enter"):
        ask(hint="Press y or n.")
        return
    say(type="panel_close", panel_id=PANEL)
    if pressed == "n":
        answer("denied: the user refused the action", True)
    else:
        answer("approved", False)


def called(frame):
    waiting.append(frame)
    if len(waiting) == 1:
        ask()


def cancelled(frame):
    """The call was given up; the host has closed its panel."""
    was_shown = bool(waiting) and waiting[0]["id"] == frame["id"]
    waiting[:] = [call for call in waiting if call["id"] != frame["id"]]
    if was_shown and waiting:
        ask()


def closed(_):
    if waiting:
        answer("denied: the user closed the question", True)


def greeted(_):
    say(
        type="register_tool",
        name="approve_action",
        description="Ask the user whether an action may be done. Answers approved or denied.",
        schema={
            "type": "object",
            "properties": {"action": {"type": "string", "description": "What would be done"}},
            "required": ["action"],
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
    name="approve",
    version="1.0.0",
    capabilities=["tools", "panels", "tool_cancel"],
)
for line in sys.stdin:
    frame = json.loads(line)
    if frame["type"] == "shutdown":
        break
    HANDLERS.get(frame["type"], lambda _: None)(frame)
