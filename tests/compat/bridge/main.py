"""Stands in for a bridge to servers with many tools: the model sees one search tool, and what a
search finds is activated.

The tools are those of the configuration, `mcp.json` in the home that the environment names, else in
the project's `.zut`. A configuration that it has not seen is written down beside the program, and the
user is asked to reload, since a bridge learns its servers' tools only when it talks to them.
"""

import json
import os
import sys


def say(**frame):
    print(json.dumps(frame), flush=True)


def text(call, words, **more):
    say(type="tool_result", id=call["id"], content=[{"type": "text", "text": words}], **more)


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return None


def greeted(ack):
    places = [os.path.join(os.environ["ZUT_HOME"], "mcp.json"), os.path.join(ack["cwd"], ".zut", "mcp.json")]
    config = next(filter(None, map(read, places)), {"tools": []})
    cache = os.path.join(ack["data_dir"], "cache.json")
    known = read(cache)
    if known != config:
        with open(cache, "w", encoding="utf-8") as file:
            json.dump(config, file)
        say(type="notify", level="warn", message="The tools changed. Reload the extensions once.")
    else:
        say(type="register_tool", name="mcp__search_tools", description="Finds tools", schema={"type": "object", "properties": {"query": {"type": "string"}}})
        for name in known["tools"]:
            say(type="register_tool", name=f"mcp__{name}", description="A tool of a server", schema={"type": "object"}, deferred=True)
    say(type="register_command", name="mcp", description="Shows the servers")
    say(type="ready")
    return config


def called(call, config):
    if call["name"] == "mcp__search_tools":
        found = [f"mcp__{name}" for name in config["tools"] if call["args"].get("query", "") in name]
        text(call, "found: " + ", ".join(found), activate_tools=found + ["mcp__nobody"])
    else:
        text(call, f"{call['name']} in {os.path.basename(os.getcwd())}")


config = {"tools": []}
say(type="hello", protocol_version=2, name="bridge", version="1.0.0", capabilities=["commands", "tools"])
for line in sys.stdin:
    frame = json.loads(line)
    if frame["type"] == "hello_ack":
        config = greeted(frame)
    elif frame["type"] == "tool_call":
        called(frame, config)
    elif frame["type"] == "command_invoked":
        say(type="clear_notes")
        say(type="command_response", id=frame["id"], action="display", display=f"{len(config['tools'])} tools")
    elif frame["type"] == "shutdown":
        say(type="shutdown_ack")
        break
