import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import type { Output } from "./output.ts";

/** Reads standard input to its end; a person at a terminal is told what is awaited. */
export async function readAllInput(out: Output, what: string): Promise<string> {
  if (process.stdin.isTTY) out.note(`Type ${what}; press Ctrl-D when done.`, "dim");
  return text(process.stdin);
}

/**
 * Reads a secret: from a pipe or a file to its end, from a terminal one line that is not shown.
 * White space around it is dropped.
 * @throws CliError when the person aborts.
 */
export async function readSecret(prompt: string): Promise<string> {
  const secret = process.stdin.isTTY ? await askHidden(prompt) : await text(process.stdin);
  return secret.trim();
}

async function askHidden(prompt: string): Promise<string> {
  process.stderr.write(prompt);
  // readline echoes what is typed to its output: this one swallows it.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  const interrupt = new AbortController();
  lines.once("SIGINT", () => interrupt.abort());
  try {
    return await lines.question("", { signal: interrupt.signal });
  } catch (cause) {
    throw new CliError(EXIT.interrupted, "Nothing was stored.", { cause });
  } finally {
    lines.close();
    process.stderr.write("\n");
  }
}
