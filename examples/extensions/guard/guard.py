#!/usr/bin/env python3
"""Refuses dangerous shell commands, and writes down what happened.

A seat belt, not a wall: it compares text and does not understand the shell, so
`x=rm; $x -rf /` passes and `echo "rm -rf"` does not. And a guard that crashes or
stays silent for five seconds counts as one without an opinion. To be refused then,
subscribe with {"name": "tool_call", "on_failure": "block"}; a plain string, as
here, works on zot and zut as well.
"""
import json
import os
import re
import sys
from datetime import datetime, timezone

# What to call it, and what must all be found in one statement. Several small
# patterns instead of one with look-aheads: flags may come split and in any order,
# and the time stays linear. A pattern that a long command could drive past the
# deadline would be a way around the guard.
DANGERS = [
    (label, [re.compile(pattern) for pattern in patterns])
    for label, *patterns in [
        ("rm -rf", r"(?<![-.\w])rm\b", r"\s-\w*[rR]|\s--recursive\b", r"\s-\w*f|\s--force\b"),
        ("mkfs", r"(?<![-.\w])mkfs\b"),
        ("dd of=/dev/", r"(?<![-.\w])dd\b", r"\bof=[\"']?/dev/(?!null\b)"),
        ("fork bomb", r"([\w:]{1,20})\s{0,9}\(\s{0,9}\)\s{0,9}\{\s{0,9}\1\s{0,9}\|\s{0,9}\1\s{0,9}&"),
        ("> /dev/sd*", r">\|?\s{0,9}[\"']?/dev/(?:[shv]d|xvd|nvme|mmcblk|disk)"),
        ("chmod -R 777 /", r"\bchmod\b", r"\s-\w*R|\s--recursive\b", r"\s0?777\b|\sa[+=]rwx\b", r"\s[\"']?/"),
        ("curl | sh", r"\b(?:curl|wget)\b", r"\|\s{0,9}(?:sudo\s[-\w\s]{0,40})?[\w/]{0,40}\b(?:ba|da|z|k|fi)?sh\b"),
        ("sh <(curl", r"\b(?:ba|da|z|k|fi)?sh\b", r"[<$]\(\s{0,9}(?:curl|wget)\b|`\s{0,9}(?:curl|wget)\b"),
        ("git push --force", r"\bgit\b", r"\spush\b", r"\s--(?:force|mirror)(?![-\w])|\s-[a-z]*f|\s\+\w"),
    ]
]

EVENTS = ["session_start", "user_prompt_submit", "turn_start", "tool_call", "tool_result", "turn_end", "session_end"]

# What is worth a place in the line, for all events alike: absent fields are left out.
DETAILS = ["session_id", "reason", "text", "step", "tool_id", "tool_name", "tool_args", "status", "stop", "error"]


def send(**frame):
    print(json.dumps(frame, separators=(",", ":")), flush=True)


def danger(command):
    """The label of the first danger in a shell command, or None."""
    # A backslash at a line's end joins lines; everything else here splits a script
    # into statements. Not a single | or &: two of the dangers are made of them.
    for statement in re.split(r"\n|;|&&|\|\|", command.replace("\\\n", " ")):
        for label, patterns in DANGERS:
            if all(pattern.search(statement) for pattern in patterns):
                return label
    return None


def verdict(frame):
    """Our answer to one tool call: {} is "no opinion", and never "allowed"."""
    args = frame.get("tool_args")
    command = args.get("command") if isinstance(args, dict) else None
    if frame.get("tool_name") != "bash" or not isinstance(command, str):
        return {}
    label = danger(command)
    if label is None:
        return {}
    # The model reads this, so it says what to do next.
    reason = f'guard refused: command matches the danger pattern "{label}". Find a safer way, or ask the user to run it.'
    return {"block": True, "reason": reason}


class Audit:
    """One line an event, in the order of arrival."""

    def __init__(self, path):
        self.path = path

    def write(self, event):
        if not self.path:
            return
        details = {key: event[key] for key in DETAILS if key in event}
        stamp = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
        # JSON keeps line ends inside of strings out of the log's lines.
        line = f"{stamp} {event.get('event')} {json.dumps(details, separators=(',', ':'))}"
        if len(line) > 1000:
            line = line[:1000] + " [cut]"
        try:
            # Prompts and commands may hold secrets: the file is its owner's alone.
            with open(self.path, "a", encoding="utf-8", opener=lambda path, flags: os.open(path, flags, 0o600)) as log:
                log.write(line + "\n")
        except OSError as error:
            # Guarding matters more than book-keeping. Said once, then no more.
            print(f"guard: the audit log {self.path} cannot be written: {error}; going on without it", file=sys.stderr)
            self.path = None


def main():
    audit = Audit(os.environ.get("GUARD_AUDIT_LOG"))
    send(type="hello", protocol_version=2, name="guard", version="1.0.0", capabilities=["events"])
    for line in sys.stdin:
        frame = json.loads(line)
        kind = frame.get("type")
        if kind == "hello_ack":
            if frame.get("protocol_version") != 2:
                sys.exit(f"guard: needs protocol 2, the host speaks {frame.get('protocol_version')}")
            if not audit.path and frame.get("data_dir"):
                audit.path = os.path.join(frame["data_dir"], "audit.log")
            send(type="subscribe", events=EVENTS, intercept=["tool_call"])
            send(type="ready")
        elif kind == "event_intercept":
            # Answer also what we did not ask for: the host waits for each of them.
            send(type="event_intercept_response", id=frame["id"],
                 **(verdict(frame) if frame.get("event") == "tool_call" else {}))
        elif kind == "event":
            audit.write(frame)
        elif kind == "shutdown":
            send(type="shutdown_ack")
            break


if __name__ == "__main__":
    main()
