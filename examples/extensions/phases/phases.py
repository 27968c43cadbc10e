"""A plan in phases: a status item and a widget for the user, hidden context for the model, and state
that belongs to the branch of the conversation.
"""

import json
import sys

plan = []  # [{"title": str, "done": bool}]


def say(**frame):
    print(json.dumps(frame, separators=(",", ":")), flush=True)


def show():
    """What the user sees: nothing when there is nothing left to do."""
    done = sum(phase["done"] for phase in plan)
    if done == len(plan):
        say(type="status", key="plan")
        say(type="widget_clear", id="plan")
        return
    say(type="status", key="plan", level="info", text=f"phase {done + 1}/{len(plan)}")
    current = next(at for at, phase in enumerate(plan) if not phase["done"])
    mark = lambda at, phase: "x" if phase["done"] else ">" if at == current else " "
    lines = [f"[{mark(at, phase)}] {phase['title']}" for at, phase in enumerate(plan)]
    say(type="widget", id="plan", title="Plan", lines=lines)


def described():
    return "\n".join(f"{n}. [{'x' if p['done'] else ' '}] {p['title']}" for n, p in enumerate(plan, 1))


def called(frame):
    text, is_error = described(), False
    if frame["name"] == "set_plan":
        plan[:] = [{"title": title, "done": False} for title in frame["args"]["phases"]]
        text = described()
    else:
        phase = next((phase for phase in plan if not phase["done"]), None)
        if phase is None:
            text, is_error = "there is no phase to finish: set_plan makes a plan", True
        else:
            phase["done"] = True
            text = described()
    # The host keeps `details` with the branch, and gives it back when the branch is opened.
    say(
        type="tool_result",
        id=frame["id"],
        content=[{"type": "text", "text": text}],
        is_error=is_error,
        details={"plan": plan},
    )
    show()


def event(frame):
    """Another branch, or the same one again: its plan is what counts."""
    if frame["event"].startswith("session_"):
        state = frame.get("state") or {}
        plan[:] = state.get("plan", [])
        show()


def asked(frame):
    """Before each request to the model: the plan as it stands, which is not kept in the transcript."""
    if any(not phase["done"] for phase in plan):
        say(type="event_intercept_response", id=frame["id"], context="The plan:\n" + described())
    else:
        say(type="event_intercept_response", id=frame["id"])


def commanded(frame):
    if not plan:
        say(type="command_response", id=frame["id"], action="display", display="There is no plan.")
        return
    panel = {"id": "plan", "title": "Plan", "lines": described().split("\n"), "footer": "esc close"}
    say(type="command_response", id=frame["id"], action="open_panel", open_panel=panel)


def greeted(_):
    phases = {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 20}
    say(
        type="register_tool",
        name="set_plan",
        description="Make a plan, or a new one: short phases in the order of the work.",
        schema={"type": "object", "properties": {"phases": phases}, "required": ["phases"]},
    )
    say(
        type="register_tool",
        name="finish_phase",
        description="Mark the current phase of the plan as done.",
        schema={"type": "object", "properties": {}},
    )
    say(type="register_command", name="phases", description="Show the plan")
    say(
        type="subscribe",
        events=["session_opened", "session_switched", "session_forked", "session_compacted"],
        intercept=["turn_start"],
    )
    say(type="ready")


HANDLERS = {
    "hello_ack": greeted,
    "tool_call": called,
    "event": event,
    "event_intercept": asked,
    "command_invoked": commanded,
}

say(
    type="hello",
    protocol_version=2,
    name="phases",
    version="1.0.0",
    capabilities=["commands", "tools", "events", "panels", "session_state", "status", "widgets"],
)
for line in sys.stdin:
    frame = json.loads(line)
    if frame["type"] == "shutdown":
        break
    HANDLERS.get(frame["type"], lambda _: None)(frame)
