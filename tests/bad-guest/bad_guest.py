#!/usr/bin/env python3
"""A guest that misbehaves on command.

An extension for tests. Without flags it is a model citizen: one tool, one command, every question
answered. Each flag breaks one habit, and most can be combined. README.md has the table.

One file, Python 3.8 or newer, no dependencies. It knows the protocol only as far as it breaks it.
"""
import argparse
import json
import os
import signal
import subprocess
import sys
import threading
import time

STAGES = ("start", "hello", "ack", "ready", "tool", "command", "intercept", "shutdown")
FRAME_LIMIT = 4 * 1024 * 1024
GRANDCHILD_SECONDS = 60  # long enough to be noticed, short enough not to litter

GARBAGE = (
    b"this line is no JSON",
    b'{"type":"notify","message":"cut sho',
    b'{"type":"notify","message":"not UTF-8: \xff\xfe"}',
    b'{"type":"notify","message":"half a pair: \\ud800"}',
    b"",
    b" \t ",
    b"[1,2,3]",
    b"null",
    b'{"message":"no type"}',
    b'{"type":7}',
    b'{"type":"from_the_future","x":1}',
    b'{"type":"notify","message":{"not":"a string"}}',
)


def csv(text):
    return [word for word in text.split(",") if word]


def how_to_die(text):
    """`exit:N` or `signal:NAME` as a pair."""
    kind, _, value = text.partition(":")
    if kind == "exit" and value.isdigit() and int(value) < 256:
        return "exit", int(value)
    if kind == "signal":
        name = value.upper() if value.upper().startswith("SIG") else "SIG" + value.upper()
        if hasattr(signal, name):
            return "signal", getattr(signal, name)
    raise argparse.ArgumentTypeError(f"{text!r}: write exit:N (0 to 255) or signal:NAME, such as signal:KILL")


def parse(argv):
    p = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0], allow_abbrev=False)

    def flag(*names):
        for name in names:
            p.add_argument(name, action="store_true")

    who = p.add_argument_group("who it is")
    version = who.add_mutually_exclusive_group()
    version.add_argument("--v1", dest="version", action="store_const", const=None, default=2, help="no protocol_version, as zot")
    version.add_argument("--v2", dest="version", action="store_const", const=2, help="protocol_version 2 (default)")
    version.add_argument("--wrong-version", dest="version", type=int, metavar="N", help="protocol_version N")
    who.add_argument("--name", default="bad-guest")
    who.add_argument("--tool", action="append", metavar="NAME", help="repeatable; default: echo")
    who.add_argument("--command", action="append", metavar="NAME", help="repeatable; default: hail")
    who.add_argument("--schema", type=json.loads, default={"type": "object"}, metavar="JSON")
    who.add_argument("--events", type=csv, default=[], metavar="CSV")
    who.add_argument("--intercept", type=csv, default=[], metavar="CSV", help="moments; tool_call when a flag below needs one")
    who.add_argument("--match", type=csv, metavar="CSV", help="subscribe with match")
    who.add_argument("--on-failure", metavar="WORD", help="subscribe with on_failure")
    who.add_argument("--priority", type=int, metavar="N", help="subscribe with priority")
    flag("--no-tool", "--no-command", "--interactive", "--cancel")
    flag("--silent", "--not-hello", "--preack", "--no-ready")
    p.add_argument("--hello-after", type=float, default=0, metavar="SECONDS")
    p.add_argument("--tool-after-ready", type=int, nargs="?", const=0, metavar="MS")
    p.add_argument("--when", choices=STAGES, help="when --too-long, --flood, --half-frame happen")
    flag("--half-frame", "--garbage")
    p.add_argument("--too-long", type=int, nargs="?", const=FRAME_LIMIT + 1, metavar="BYTES")
    p.add_argument("--flood", type=int, default=0, metavar="N")
    flag("--deaf", "--immortal", "--grandchild", "--setsid", "--crlf")
    p.add_argument("--slow-tool", type=int, metavar="MS")
    p.add_argument("--progress", type=int, default=0, metavar="N")
    flag("--tool-error", "--late-result", "--double-result")
    p.add_argument("--action", default="display", help="of the command's response; `error` sets error")
    flag("--intercept-silent", "--intercept-nonsense")
    p.add_argument("--intercept-slow", type=int, metavar="MS")
    p.add_argument("--intercept-block", nargs="?", const="refused by the bad guest", metavar="REASON")
    p.add_argument("--rewrite", nargs="?", const="", metavar="VALUE")
    p.add_argument("--die-at", choices=STAGES)
    p.add_argument("--die-how", type=how_to_die, default=("exit", 3), metavar="exit:N|signal:NAME")
    p.add_argument("--log-events", metavar="FILE")
    p.add_argument("--pids", metavar="FILE")
    p.add_argument("--stderr", metavar="TEXT")
    p.add_argument("--write-manifest", metavar="DIR")
    o = p.parse_args(argv)
    o.tool = [] if o.no_tool else o.tool or ["echo"]
    o.command = [] if o.no_command else o.command or ["hail"]
    o.cancel = o.cancel or o.late_result
    o.grandchild = o.grandchild or o.setsid
    asked = o.intercept_silent or o.intercept_nonsense or o.intercept_slow is not None
    if asked or o.intercept_block is not None or o.rewrite is not None or o.die_at == "intercept":
        o.intercept = o.intercept or ["tool_call"]
    return o


class Guest:
    def __init__(self, options):
        self.o = options
        self.pen = threading.Lock()  # one line leaves whole, whichever thread writes it
        self.pending = {}  # call id -> (timer, frame): results that are held back

    # Writing.

    def write(self, data):
        with self.pen:
            while data:
                try:
                    data = data[os.write(1, data):]
                except BrokenPipeError:
                    return

    def line(self, raw):
        self.write(raw + (b"\r\n" if self.o.crlf else b"\n"))

    def send(self, **frame):
        if self.o.garbage and (frame["type"] != "hello" or self.o.when == "start"):
            for raw in GARBAGE:
                self.line(raw)
        self.line(encode(frame))

    # Misbehaving.

    def stage(self, name, before_answer=None):
        """Everything that is to happen here, once per arrival at a stage."""
        if self.o.die_at == name:
            self.die()
        if self.o.too_long is not None and name == (self.o.when or "hello"):
            frame = {"type": "notify", "level": "info", "message": ""}
            frame["message"] = "x" * max(0, self.o.too_long - len(encode(frame)))
            self.line(encode(frame))
        if self.o.flood and name == (self.o.when or "ready"):
            for n in range(self.o.flood):
                self.send(type="notify", level="info", message=f"flood {n}")
        if self.o.half_frame and name == (self.o.when or "hello"):
            whole = encode(before_answer or {"type": "notify", "level": "info", "message": "only half of this"})
            self.write(whole[:len(whole) // 2])
            self.hang()

    def die(self):
        kind, value = self.o.die_how
        if kind == "exit":
            os._exit(value)
        if value not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(value, signal.SIG_DFL)
        os.kill(os.getpid(), value)
        self.hang()

    def hang(self):
        while True:
            time.sleep(3600)

    def spawn_grandchild(self):
        child = subprocess.Popen(
            [sys.executable, "-c", f"import time; time.sleep({GRANDCHILD_SECONDS})"],
            stdin=subprocess.DEVNULL, start_new_session=self.o.setsid)
        self.note_pid("grandchild", child.pid)

    def note_pid(self, who, pid):
        if self.o.pids:
            with open(self.o.pids, "a", encoding="utf-8") as f:
                f.write(f"{who} {pid}\n")

    # Introducing itself.

    def greet(self):
        if self.o.hello_after:
            time.sleep(self.o.hello_after)
        if self.o.silent:
            return
        if self.o.not_hello:
            self.send(type="notify", level="info", message="who says hello these days")
            return
        hello = {"type": "hello"}
        if self.o.version is not None:
            hello["protocol_version"] = self.o.version
        words = ["commands", "tools", "events"] + ["tool_cancel"] * self.o.cancel
        hello.update(name=self.o.name, version="1.0.0", capabilities=words)
        self.send(**hello)
        self.stage("hello")
        if self.o.preack:
            self.register()

    def register(self):
        for name in self.o.command:
            self.send(type="register_command", name=name, description="Say it back")
        if self.o.tool_after_ready is None:
            self.register_tools()
        if self.o.events:
            self.send(type="subscribe", events=self.o.events)
        if self.o.intercept:
            extra = {"match": self.o.match, "on_failure": self.o.on_failure, "priority": self.o.priority}
            extra = {key: value for key, value in extra.items() if value is not None}
            moments = [dict(name=m, **extra) if extra else m for m in self.o.intercept]
            self.send(type="subscribe", intercept=moments)
        if not self.o.no_ready:
            self.send(type="ready")
        self.stage("ready")
        if self.o.tool_after_ready is not None:
            later(self.o.tool_after_ready, self.register_tools)
        if self.o.deaf:
            self.hang()

    def register_tools(self):
        for name in self.o.tool:
            frame = dict(type="register_tool", name=name, description="Say it back", schema=self.o.schema)
            if self.o.interactive:
                frame["interactive"] = True
            self.send(**frame)

    # Answering.

    def on_hello_ack(self, frame):
        self.stage("ack")
        if not self.o.preack:
            self.register()

    def on_tool_call(self, frame):
        text = json.dumps(frame.get("args"), separators=(",", ":"), ensure_ascii=False)
        result = dict(type="tool_result", id=frame["id"], content=[{"type": "text", "text": text}])
        if self.o.tool_error:
            result["is_error"] = True
        self.stage("tool", result)
        for n in range(self.o.progress):
            self.send(type="tool_progress", id=frame["id"], text=f"{n + 1} of {self.o.progress}")
        if self.o.slow_tool is None and not self.o.late_result:
            return self.finish(result)
        timer = None
        if self.o.slow_tool is not None:
            timer = later(self.o.slow_tool, lambda: self.finish(result))
        self.pending[frame["id"]] = (timer, result)

    def finish(self, result):
        self.pending.pop(result["id"], None)
        self.send(**result)
        if self.o.double_result:
            self.send(**dict(result, content=[{"type": "text", "text": "and once more"}]))

    def on_tool_cancel(self, frame):
        timer, result = self.pending.pop(frame["id"], (None, None))
        if self.o.late_result:
            if result and not timer:
                self.finish(result)  # too late, and it knows; with --slow-tool the timer brings it
        elif timer:
            timer.cancel()

    def on_command_invoked(self, frame):
        action = self.o.action
        answer = dict(type="command_response", id=frame["id"], action=action)
        text = f"{frame['name']} {frame.get('args', '')}".strip()
        if action == "error":
            answer.update(action="noop", error=text)
        elif action in ("prompt", "insert", "display"):
            answer[action] = text
        self.stage("command", answer)
        self.send(**answer)

    def on_event_intercept(self, frame):
        answer = dict(type="event_intercept_response", id=frame["id"])
        self.stage("intercept", answer)
        if self.o.intercept_silent:
            return
        if self.o.intercept_nonsense:
            answer.update(block="perhaps", modified_args=["not", "an", "object"], replace_text=7)
        elif self.o.intercept_block is not None:
            answer.update(block=True, reason=self.o.intercept_block)
        elif self.o.rewrite is not None:
            answer.update(self.rewritten(frame))
        later(self.o.intercept_slow or 0, lambda: self.send(**answer))

    def rewritten(self, frame):
        moment, value, name = frame["event"], self.o.rewrite, self.o.name
        if moment == "tool_call":
            args = json.loads(value) if value else dict(frame.get("tool_args") or {}, rewritten_by=name)
            return {"modified_args": args}
        if moment == "assistant_message":
            return {"replace_text": value or f"[{name}] {frame.get('text', '')}"}
        if moment == "turn_start":
            return {"context": value or f"context of {name}"}
        return {"system_prompt": value or f"{frame.get('system_prompt', '')}\n[{name}]"}

    def on_shutdown(self, frame):
        self.stage("shutdown")
        if not self.o.immortal:
            self.send(type="shutdown_ack")
            os._exit(0)

    # Living.

    def run(self):
        o = self.o
        if o.immortal:
            for name in ("SIGTERM", "SIGHUP", "SIGINT"):
                signal.signal(getattr(signal, name), signal.SIG_IGN)
        self.note_pid("guest", os.getpid())
        if o.stderr:
            print(o.stderr, file=sys.stderr, flush=True)
        if o.grandchild:
            self.spawn_grandchild()
        self.stage("start")
        self.greet()
        while True:
            line = sys.stdin.buffer.readline()
            if not line:
                break
            self.receive(line)
        if o.immortal:
            self.hang()
        os._exit(0)  # also when timers are still running

    def receive(self, line):
        if self.o.log_events:
            with open(self.o.log_events, "ab") as f:
                f.write(line)
        frame = json.loads(line)
        handler = getattr(self, f"on_{frame.get('type')}", None)
        if handler:
            handler(frame)


def encode(frame):
    return json.dumps(frame, separators=(",", ":"), ensure_ascii=False).encode()


def later(ms, what):
    """Runs `what` after a while beside the reading loop, or at once for 0."""
    if not ms:
        return what()
    timer = threading.Timer(ms / 1000, what)
    timer.daemon = True
    timer.start()
    return timer


def write_manifest(argv, options):
    """An extension directory whose program is this file with the same flags."""
    flags = list(argv)
    at = next(n for n, word in enumerate(flags) if word.startswith("--write-manifest"))
    del flags[at:at + (1 if "=" in flags[at] else 2)]
    manifest = {"name": options.name, "version": "1.0.0", "exec": sys.executable or "python3",
                "args": [os.path.abspath(__file__)] + flags}
    os.makedirs(options.write_manifest, exist_ok=True)
    with open(os.path.join(options.write_manifest, "extension.json"), "w", encoding="utf-8") as f:
        json.dump(manifest, f, indent=2)
        f.write("\n")


def main(argv):
    options = parse(argv)
    if options.write_manifest:
        return write_manifest(argv, options)
    Guest(options).run()


if __name__ == "__main__":
    main(sys.argv[1:])
