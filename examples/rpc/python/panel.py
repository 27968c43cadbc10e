"""Drives the panel of an extension over `zeug rpc`, as a terminal would.

    panel.py EXTENSION_DIR PROMPT_OR_/COMMAND KEY...

A KEY is the name of one (up, enter, esc …) or a text that is typed. Prints each drawing of the panel,
then how the call or the prompt ended. Set ZEUG to use another binary.
"""

import json
import os
import subprocess
import sys

NAMES = "up down left right enter tab backspace delete home end pageup pagedown esc".split()


def main(directory, prompt, keys):
    zeug = subprocess.Popen(
        [os.environ.get("ZEUG", "zeug"), "rpc", "-e", directory],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )

    def say(**request):
        zeug.stdin.write(json.dumps(request) + "\n")
        zeug.stdin.flush()

    # A client that says so shows panels and is asked for approvals.
    say(type="hello", interactive=True)
    if prompt.startswith("/"):
        name, _, args = prompt[1:].partition(" ")
        say(type="ext_command", name=name, args=args)
    else:
        say(type="prompt", message=prompt)

    is_pressed = False
    for line in zeug.stdout:
        event = json.loads(line)
        kind = event["type"]
        if kind in ("ext_panel_open", "ext_panel_render"):
            print("┌", event["title"])
            for text in event["lines"]:
                print("│", text)
            print("└", event.get("footer", ""), flush=True)
        if kind == "tool_confirmation_requested":
            # Whoever calls this program wants the call.
            say(type="approve", tool_id=event["tool_id"], decision="once")
        if kind == "ext_panel_open" and not is_pressed:
            is_pressed = True
            for key in keys:
                named = {"key": key} if key in NAMES else {"key": "rune", "text": key}
                say(type="ext_panel_key", extension=event["extension"], panel_id=event["panel_id"], **named)
        if kind == "ext_panel_close":
            print("closed", flush=True)
        if kind == "tool_result":
            print("result:", event["content"][0]["text"], flush=True)
        if kind == "response" and not event["success"]:
            print("refused:", event["error"], flush=True)
        if kind == "done" or (kind == "response" and not event["success"]):
            break
        if prompt.startswith("/") and kind == "ext_panel_render" and is_drawn(event, keys):
            break
    # zeug ends in order when its input does; what it still has to say is read.
    zeug.stdin.close()
    for _ in zeug.stdout:
        pass
    return zeug.wait()


def is_drawn(event, keys):
    """Whether this is the drawing after the last key; panels are drawn once for each."""
    is_drawn.count = getattr(is_drawn, "count", 0) + 1
    return is_drawn.count >= sum(1 if key in NAMES else len(key) for key in keys)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
