#!/usr/bin/env python3
"""Takes secrets out of what tools are given and out of what the user is shown.

Two interceptions that rewrite. The transcript keeps what the model wrote in both
cases: this hides secrets from tools, screens and clients, not from the session file.
"""
import json
import re
import sys

# Prefixes that providers chose so that programs can find their keys, each with a
# length below which it is more likely a word. The look-behind spares "task-force".
SECRET = re.compile(
    r"(?<![A-Za-z0-9])(?:sk-[A-Za-z0-9_-]{8,}|gh[opsu]_[A-Za-z0-9]{8,}|github_pat_\w{8,}|AKIA[A-Z0-9]{12,})")


def send(**frame):
    print(json.dumps(frame, separators=(",", ":")), flush=True)


def scrub(value):
    """The same JSON value, with every secret in every string replaced."""
    if isinstance(value, str):
        return SECRET.sub("[redacted]", value)
    if isinstance(value, list):
        return [scrub(item) for item in value]
    if isinstance(value, dict):
        # Values only: a renamed key would be another argument.
        return {key: scrub(item) for key, item in value.items()}
    return value


def answer(frame):
    """What to change. {} changes nothing, and lets the original bytes through."""
    if frame.get("event") == "tool_call":
        before = frame.get("tool_args")
        after = scrub(before)
        # The whole object, not the difference: a rewrite replaces all arguments,
        # and what it leaves out is gone (bash would lose its timeout).
        return {"modified_args": after} if after != before else {}
    if frame.get("event") == "assistant_message":
        before = frame.get("text", "")
        after = scrub(before)
        return {"replace_text": after} if after != before else {}
    return {}


def main():
    send(type="hello", protocol_version=2, name="redact", version="1.0.0", capabilities=["events"])
    for line in sys.stdin:
        frame = json.loads(line)
        kind = frame.get("type")
        if kind == "hello_ack":
            if frame.get("protocol_version") != 2:
                sys.exit(f"redact: needs protocol 2, the host speaks {frame.get('protocol_version')}")
            # Since we asked for assistant_message, the host shows no word of an answer
            # before our verdict. Streaming is the price of never leaking the original.
            send(type="subscribe", intercept=["tool_call", "assistant_message"])
            send(type="ready")
        elif kind == "event_intercept":
            send(type="event_intercept_response", id=frame["id"], **answer(frame))
        elif kind == "shutdown":
            send(type="shutdown_ack")
            break


if __name__ == "__main__":
    main()
