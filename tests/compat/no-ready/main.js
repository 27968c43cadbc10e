// Says all it has in one write and never `ready`; looks at the ack only for its version.
"use strict";
const readline = require("node:readline");

const say = (...frames) => process.stdout.write(frames.map((frame) => JSON.stringify(frame) + "\n").join(""));

say(
  { type: "hello", protocol_version: 2, name: "no-ready", version: "1.0.0", capabilities: ["commands", "tools"] },
  { type: "register_command", name: "tick", description: "Shows a tick" },
  { type: "register_command", name: "ask", description: "Asks the model" },
  { type: "register_tool", name: "tock", description: "Answers tock", schema: { type: "object" } },
);

const lines = readline.createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on("line", (line) => {
  const frame = JSON.parse(line);
  switch (frame.type) {
    case "hello_ack":
      if (frame.protocol_version !== 2) process.exit(1);
      console.error(`connected to ${frame.zut_version}, ${frame.provider}/${frame.model}`);
      break;
    case "command_invoked":
      if (frame.name === "tick") say({ type: "command_response", id: frame.id, action: "display", display: "tick" });
      else say({ type: "command_response", id: frame.id, action: "prompt", prompt: `say ${frame.args || "nothing"}` });
      break;
    case "tool_call":
      say({ type: "tool_result", id: frame.id, content: [{ type: "text", text: "tock" }] });
      break;
    case "shutdown":
      say({ type: "shutdown_ack" });
      lines.close();
      break;
  }
});
