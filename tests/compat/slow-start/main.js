// What comes after the wait: says everything before it reads the ack.
"use strict";
const readline = require("node:readline");

const say = (frame) => process.stdout.write(JSON.stringify(frame) + "\n");

say({ type: "hello", name: "slow-start", version: "1.0.0", capabilities: ["tools"] });
say({ type: "register_tool", name: "late_riser", description: "Is up", schema: { type: "object" } });
say({ type: "ready" });
const lines = readline.createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on("line", (line) => {
  const frame = JSON.parse(line);
  if (frame.type === "tool_call") say({ type: "tool_result", id: frame.id, content: [{ type: "text", text: "up" }] });
  else if (frame.type === "shutdown") lines.close();
});
