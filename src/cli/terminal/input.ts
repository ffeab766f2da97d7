import { text } from "node:stream/consumers";
import type { Output } from "./output.ts";
import { askSecret } from "./prompt.ts";

/** Reads standard input to its end; on a terminal, a line says what to type. */
export async function readAllInput(out: Output, what: string): Promise<string> {
  if (process.stdin.isTTY) out.note(`Type ${what}; press Ctrl-D when done.`, "dim");
  return text(process.stdin);
}

/**
 * Reads a secret: from a pipe or a file to its end, from a terminal one hidden line. Surrounding white space is
 * removed.
 * @throws CliError when the person aborts.
 */
export async function readSecret(prompt: string): Promise<string> {
  const secret = process.stdin.isTTY ? await askSecret(prompt) : await text(process.stdin);
  return secret.trim();
}
