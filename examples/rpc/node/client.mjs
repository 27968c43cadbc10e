#!/usr/bin/env node
// Sends one prompt to `zeug rpc` and prints the answer as it comes.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const prompt = process.argv.slice(2).join(" ");
if (!prompt) {
  console.error("usage: client.mjs PROMPT");
  process.exit(2);
}

const zeug = spawn(process.env.ZEUG ?? "zeug", ["rpc"], {
  stdio: ["pipe", "pipe", "inherit"],
});
const started = new Promise((resolve, reject) => {
  zeug.once("spawn", resolve);
  zeug.once("error", reject);
});
const ended = new Promise((resolve) => zeug.once("close", resolve));

function ask(request) {
  zeug.stdin.write(JSON.stringify(request) + "\n");
}

// Shows one line; true once the prompt is over.
function show(line) {
  switch (line.type) {
    case "text_delta":
      process.stdout.write(line.delta);
      return false;
    case "tool_call":
      console.error(`[tool] ${line.name} ${JSON.stringify(line.args)}`);
      return false;
    case "error":
      console.error(`error: ${line.message}`);
      process.exitCode = 1;
      return false;
    case "response":
      if (line.success) return false;
      // A prompt that was refused has no `done`.
      console.error(`${line.command}: ${line.error}`);
      process.exitCode = 1;
      return true;
    case "done":
      process.stdout.write("\n");
      return true;
    default:
      // Whatever else there is, now or in later versions, is not for this client.
      return false;
  }
}

async function converse() {
  await started;
  const token = process.env.ZEUG_RPC_TOKEN;
  if (token) ask({ id: "hello", type: "hello", token });
  ask({ id: "prompt", type: "prompt", message: prompt });
  for await (const line of createInterface({ input: zeug.stdout, crlfDelay: Infinity })) {
    if (show(JSON.parse(line))) {
      // The end of its input is how zeug is told to go.
      zeug.stdin.end();
      await ended;
      return;
    }
  }
  throw new Error("zeug ended before the prompt was done");
}

converse().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
