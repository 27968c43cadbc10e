#!/usr/bin/env python3
"""Sends one prompt to `zeug rpc` and prints the answer as it comes."""

import json
import os
import subprocess
import sys


def requests(prompt):
    """What is asked: who we are, when a token is wanted, then the prompt."""
    token = os.environ.get("ZEUG_RPC_TOKEN")
    if token:
        yield {"id": "hello", "type": "hello", "token": token}
    yield {"id": "prompt", "type": "prompt", "message": prompt}


def show(line):
    """Shows one line of zeug; says whether the prompt is over, and whether it failed."""
    kind = line.get("type")
    if kind == "text_delta":
        print(line["delta"], end="", flush=True)
    elif kind == "tool_call":
        print(f"[tool] {line['name']} {json.dumps(line['args'])}", file=sys.stderr)
    elif kind == "error":
        print(f"error: {line['message']}", file=sys.stderr)
        return False, True
    elif kind == "response" and not line["success"]:
        # A prompt that was refused has no `done`.
        print(f"{line['command']}: {line['error']}", file=sys.stderr)
        return True, True
    elif kind == "done":
        print()
        return True, False
    # Whatever else there is, now or in later versions, is not for this client.
    return False, False


def main():
    if len(sys.argv) < 2:
        print("usage: client.py PROMPT", file=sys.stderr)
        return 2
    program = [os.environ.get("ZEUG", "zeug"), "rpc"]
    with subprocess.Popen(
        program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as zeug:
        for request in requests(" ".join(sys.argv[1:])):
            zeug.stdin.write(json.dumps(request) + "\n")
        zeug.stdin.flush()
        code = 0
        for line in zeug.stdout:
            over, failed = show(json.loads(line))
            code |= failed
            if over:
                # The end of its input is how zeug is told to go.
                zeug.stdin.close()
                return code
    print("zeug ended before the prompt was done", file=sys.stderr)
    return 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except OSError as error:
        sys.exit(f"zeug cannot be run: {error}")
