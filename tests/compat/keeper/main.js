// Counts its failures: every result is an error, and brings the state that the next one builds on.
"use strict";
const readline = require("node:readline");

const say = (frame) => process.stdout.write(JSON.stringify(frame) + "\n");
let state = null;

say({ type: "hello", protocol_version: 2, name: "keeper", version: "1.0.0", capabilities: ["tools", "session_state"] });
const lines = readline.createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on("line", (line) => {
  const frame = JSON.parse(line);
  if (frame.type === "hello_ack") {
    say({ type: "register_tool", name: "keep", description: "Fails", schema: { type: "object" } });
    say({ type: "subscribe", events: ["session_start", "session_opened", "session_switched", "session_forked"] });
    say({ type: "ready" });
  } else if (frame.type === "event") state = frame.state ?? null;
  else if (frame.type === "tool_call") {
    const before = JSON.stringify(state);
    state = { tries: (state?.tries ?? 0) + 1 };
    const content = [{ type: "text", text: `before: ${before}` }];
    say({ type: "tool_result", id: frame.id, content, is_error: true, details: state });
  } else if (frame.type === "shutdown") {
    say({ type: "shutdown_ack" });
    lines.close();
  }
});
