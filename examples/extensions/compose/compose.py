"""A tool that calls other tools: `project_check` looks at the project with `glob` and runs a command
with `bash`. Each of these calls passes the same guards and approvals as a call of the model.
"""

import itertools
import json
import sys

ids = (f"compose-{n}" for n in itertools.count(1))

# What goes on when the answer to one of our own calls comes: request id -> generator.
waiting = {}
# The host's call that each generator serves: host call id -> generator, to end it when it is given up.
serving = {}


def say(**frame):
    print(json.dumps(frame, separators=(",", ":")), flush=True)


def text_of(result):
    return "\n".join(block.get("text", "") for block in result["content"])


def project_check(args):
    """Each `yield` is a call of another tool; what it gives back is that tool's result."""
    found = yield "glob", {"pattern": args.get("pattern", "**/*")}
    if found["is_error"]:
        return text_of(found), True
    files = [line for line in text_of(found).splitlines() if line.strip()]
    ran = yield "bash", {"command": args.get("command", "true")}
    how = "failed" if ran["is_error"] else "passed"
    return f"{len(files)} files; the check {how}: {text_of(ran)}", ran["is_error"]


def go_on(call_id, steps, result):
    """Lets a generator go on with a result, up to its next call or its end."""
    try:
        name, args = steps.send(result)
    except StopIteration as end:
        serving.pop(call_id, None)
        text, is_error = end.value
        say(type="tool_result", id=call_id, content=[{"type": "text", "text": text}], is_error=is_error)
        return
    request = next(ids)
    waiting[request] = (call_id, steps)
    # parent_id: the call is given up with the one that it serves, and the chain stays visible.
    say(type="call_tool", id=request, name=name, args=args, parent_id=call_id)


def called(frame):
    steps = project_check(frame["args"])
    serving[frame["id"]] = steps
    go_on(frame["id"], steps, None)


def answered(frame):
    call_id, steps = waiting.pop(frame["id"], (None, None))
    # A call that was given up meanwhile wants no more answers.
    if call_id in serving:
        go_on(call_id, steps, frame)


def cancelled(frame):
    serving.pop(frame["id"], None)


def greeted(frame):
    if "call_tool" not in frame.get("capabilities", []):
        say(type="notify", level="warn", message="this host lets no extension call tools")
        say(type="ready")
        return
    say(
        type="register_tool",
        name="project_check",
        description="Count the project's files and run a check command. Answers with both.",
        schema={
            "type": "object",
            "properties": {
                "pattern": {"type": "string", "description": "Which files; all by default"},
                "command": {"type": "string", "description": "The check, such as `make test`"},
            },
            "required": ["command"],
        },
    )
    say(type="ready")


HANDLERS = {
    "hello_ack": greeted,
    "tool_call": called,
    "tool_result": answered,
    "tool_cancel": cancelled,
}

say(
    type="hello",
    protocol_version=2,
    name="compose",
    version="1.0.0",
    capabilities=["tools", "call_tool", "tool_cancel"],
)
for line in sys.stdin:
    frame = json.loads(line)
    if frame["type"] == "shutdown":
        break
    HANDLERS.get(frame["type"], lambda _: None)(frame)
