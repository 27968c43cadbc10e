// Works on each key beside the others, as one goroutine for each does: whoever is done first, draws
// first. The order of the result is the order in which keys were worked on.
"use strict";
const readline = require("node:readline");

const say = (frame) => process.stdout.write(JSON.stringify(frame) + "\n");
let typed = "";

function work(frame) {
  // The first key of a burst takes longest: without pacing by the host the last would overtake it.
  setTimeout(() => {
    if (frame.key === "rune") typed += frame.text;
    else if (frame.key === "backspace") typed = [...typed].slice(0, -1).join("");
    else typed += `<${frame.key}>`;
    say({ type: "panel_render", panel_id: "pad", lines: [typed] });
  }, Math.random() * 8);
}

say({ type: "hello", protocol_version: 2, name: "each-key", version: "1.0.0", capabilities: ["panels"] });
const lines = readline.createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on("line", (line) => {
  const frame = JSON.parse(line);
  if (frame.type === "hello_ack") {
    say({ type: "ready" });
    say({ type: "open_panel", panel: { id: "pad", title: "Pad", lines: ["type"] } });
  } else if (frame.type === "panel_key") work(frame);
  else if (frame.type === "panel_close") {
    // A drawing that comes too late.
    say({ type: "panel_render", panel_id: "pad", lines: ["still here?"] });
    say({ type: "notify", level: "info", message: `closed with ${typed}` });
  } else if (frame.type === "shutdown") lines.close();
});
