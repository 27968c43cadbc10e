// A todo list: a panel for the user, a tool for the model, one file for both.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const readline = require("node:readline");

const PANEL = "todos";
const say = (frame) => process.stdout.write(JSON.stringify(frame) + "\n");

let file; // known after hello_ack
let todos = []; // [{ text, done }]
let selected = 0;
let draft = null; // what is being typed, or null
let isOpen = false;

function load() {
  try {
    todos = JSON.parse(fs.readFileSync(file, "utf8"));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}

// A new file takes the place of the old one, so that no crash leaves half a list.
function save() {
  fs.writeFileSync(file + ".new", JSON.stringify(todos, null, 2) + "\n");
  fs.renameSync(file + ".new", file);
}

function view() {
  const done = todos.filter((todo) => todo.done).length;
  const lines = todos.map((todo, at) => {
    const mark = at === selected ? "▸" : " ";
    return `${mark} [${todo.done ? "x" : " "}] ${todo.text}`;
  });
  if (lines.length === 0) lines.push("Nothing to do.");
  if (draft !== null) lines.push("", `New: ${draft}█`);
  const footer = draft === null ? "a add  x done  d delete  ↑↓ move  esc close" : "enter keep  esc close";
  return { title: `Todos (${done}/${todos.length} done)`, lines, footer };
}

function open() {
  isOpen = true;
  draft = null;
  selected = Math.max(0, Math.min(selected, todos.length - 1));
  return { id: PANEL, ...view() };
}

// Every key is answered with a drawing, also one that changes nothing: the host sends the next key
// when the panel was drawn.
function draw() {
  if (isOpen) say({ type: "panel_render", panel_id: PANEL, ...view() });
}

function add(text) {
  todos.push({ text, done: false });
  selected = todos.length - 1;
  save();
}

function remove(at) {
  const [gone] = todos.splice(at, 1);
  selected = Math.max(0, Math.min(selected, todos.length - 1));
  save();
  return gone;
}

function key({ key, text }) {
  if (draft !== null) {
    if (key === "rune") draft += text;
    else if (key === "backspace") draft = [...draft].slice(0, -1).join("");
    else if (key === "enter") {
      const wanted = draft.trim();
      draft = null;
      if (wanted) add(wanted);
    }
  } else if (key === "up") selected = Math.max(0, selected - 1);
  else if (key === "down") selected = Math.min(todos.length - 1, selected + 1);
  else if (key === "rune" && text === "a") draft = "";
  else if (key === "rune" && todos[selected] && (text === "x" || text === " ")) {
    todos[selected].done = !todos[selected].done;
    save();
  } else if (key === "rune" && todos[selected] && text === "d") remove(selected);
  draw();
}

// What the model wants: { action: "list" | "add" | "done" | "remove", text?, index? }
function manage({ action, text, index }) {
  const at = index - 1;
  if (action === "add") {
    if (typeof text !== "string" || !text.trim()) return fail("add needs text");
    add(text.trim());
  } else if (action === "done" || action === "remove") {
    if (!todos[at]) return fail(`there is no todo ${index}; there are ${todos.length}`);
    if (action === "done") {
      todos[at].done = true;
      save();
    } else remove(at);
  }
  draw();
  const list = todos.map((todo, n) => `${n + 1}. [${todo.done ? "x" : " "}] ${todo.text}`);
  return { content: [{ type: "text", text: list.join("\n") || "Nothing to do." }] };
}

const fail = (text) => ({ content: [{ type: "text", text }], is_error: true });

const handlers = {
  hello_ack: (frame) => {
    file = path.join(frame.data_dir, "todos.json");
    load();
    say({ type: "register_command", name: "todo", description: "Open the todo list" });
    say({
      type: "register_tool",
      name: "todo_manage",
      description: "Read or change the user's todo list. Answers with the list, numbered from 1.",
      schema: {
        type: "object",
        properties: {
          action: { type: "string", enum: ["list", "add", "done", "remove"] },
          text: { type: "string", description: "For add" },
          index: { type: "integer", minimum: 1, description: "For done and remove" },
        },
        required: ["action"],
        additionalProperties: false,
      },
    });
    say({ type: "ready" });
  },
  command_invoked: ({ id }) => say({ type: "command_response", id, action: "open_panel", open_panel: open() }),
  panel_key: key,
  panel_close: () => {
    isOpen = false;
  },
  tool_call: ({ id, args }) => {
    let result;
    try {
      result = manage(args);
    } catch (error) {
      result = fail(`the list could not be changed: ${error.message}`);
    }
    say({ type: "tool_result", id, ...result });
  },
  shutdown: () => process.exit(0),
};

say({ type: "hello", protocol_version: 2, name: "todo", version: "1.0.0", capabilities: ["commands", "tools", "panels"] });
const lines = readline.createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const frame = JSON.parse(line);
  // Frames of later versions are passed over.
  handlers[frame.type]?.(frame);
});
lines.on("close", () => process.exit(0));
