// Notes of the user, kept in the project and not beside the program; the model may read them.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const readline = require("node:readline");

const say = (frame) => process.stdout.write(JSON.stringify(frame) + "\n");
let file;

function notes() {
  if (!fs.existsSync(file)) return [];
  return fs.readFileSync(file, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line).text);
}

function add(text) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.appendFileSync(file, JSON.stringify({ text }) + "\n");
}

function command(frame) {
  const text = frame.args || "";
  const answer = { type: "command_response", id: frame.id };
  if (frame.name === "notes") say({ ...answer, action: "display", display: notes().join("\n") || "no notes yet" });
  else if (!text.trim()) say({ ...answer, error: "write the note behind the command: /note buy milk" });
  else {
    add(text);
    say({ ...answer, action: "display", display: `noted: ${text}` });
  }
}

say({ type: "hello", name: "scratchpad", version: "1.0.0", capabilities: ["commands", "tools"] });
say({ type: "register_command", name: "note", description: "Keeps a note" });
say({ type: "register_command", name: "notes", description: "Shows the notes" });
say({ type: "register_tool", name: "read_notes", description: "The user's notes", schema: { type: "object", properties: {} } });
say({ type: "ready" });

const lines = readline.createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on("line", (line) => {
  const frame = JSON.parse(line);
  // The working directory is the extension's own: only the ack knows the project.
  if (frame.type === "hello_ack") file = path.join(frame.cwd, ".zot", "scratchpad-notes.jsonl");
  else if (frame.type === "command_invoked") command(frame);
  else if (frame.type === "tool_call") {
    say({ type: "tool_result", id: frame.id, content: [{ type: "text", text: notes().join("\n") || "no notes yet" }] });
  } else if (frame.type === "shutdown") {
    say({ type: "shutdown_ack" });
    lines.close();
  }
});
