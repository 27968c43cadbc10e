#!/usr/bin/env node
// Tells the time. Plain Node without dependencies, and without waiting: all
// registrations leave before the host has answered, and `ready` is never sent.
"use strict";

const readline = require("node:readline");

const PROTOCOL = 2;
const started = Date.now();

// stdout belongs to the protocol; everything meant for people goes to stderr,
// which the host keeps in the extension's log.
const send = (frame) => process.stdout.write(JSON.stringify(frame) + "\n");
const log = (text) => process.stderr.write(`clock: ${text}\n`);

// None of these names depends on what the host will answer, so there is nothing
// to wait for: they lie in the pipe until the host has read our hello.
send({ type: "hello", protocol_version: PROTOCOL, name: "clock", version: "1.0.0", capabilities: ["commands"] });
send({ type: "register_command", name: "now", description: "Show the time, here and as ISO 8601" });
send({ type: "register_command", name: "uptime", description: "Let the model say how long this extension has run" });
// No `ready`: the host notices that we fell silent and counts us as ready. That
// costs a quarter of a second at each start, which is why the others send it.

function now() {
  const date = new Date();
  return `local: ${date.toLocaleString()}\niso:   ${date.toISOString()}`;
}

function uptime(args) {
  const seconds = Math.round((Date.now() - started) / 1000);
  const manner = args ? ` Manner: ${args}.` : "";
  return `Say in one sentence that the clock extension has been running for ${seconds} seconds.${manner}`;
}

const commands = {
  now: () => ({ action: "display", display: now() }),
  uptime: (args) => ({ action: "prompt", prompt: uptime(args) }),
};

const handlers = {
  hello_ack(frame) {
    if (frame.protocol_version !== PROTOCOL) {
      log(`needs protocol ${PROTOCOL}, the host speaks ${frame.protocol_version}`);
      process.exitCode = 1;
      leave();
      return;
    }
    log(`connected, project ${frame.cwd}`);
  },
  command_invoked(frame) {
    // The host answers for names: it sends only what we registered, spelled as we did.
    send({ type: "command_response", id: frame.id, ...commands[frame.name](frame.args ?? "") });
  },
  shutdown() {
    send({ type: "shutdown_ack" });
    leave();
  },
};

// Letting go of stdin leaves nothing to wait for, and so Node ends by itself, as
// it does when the host closes the pipe. Unlike process.exit(), that cannot cut
// off a frame which is still being written.
function leave() {
  lines.close();
  process.stdin.destroy();
}

// `crlfDelay` makes \r\n one line end, also when a read falls between the two.
const lines = readline.createInterface({ input: process.stdin, crlfDelay: Infinity });
lines.on("line", (line) => {
  let frame;
  try {
    frame = JSON.parse(line);
  } catch (error) {
    log(`not a frame, ignored: ${error.message}`);
    return;
  }
  // Object.hasOwn, because a frame of type "toString" must find nothing.
  if (Object.hasOwn(handlers, frame?.type)) handlers[frame.type](frame);
});
