import { execFile } from "node:child_process";
import { codeOf } from "#lib/error-code.ts";
import { EncryptionKeyError } from "./encryption-key-error.ts";

/** How long the command may take, in milliseconds. */
const TIMEOUT_MS = 30_000;
/** More than a key in any form. */
const MAX_BYTES = 4_096;
const BY_HAND = "Run it by hand to see why; what it writes is never logged.";

/**
 * Runs the command that prints the encryption key, such as a client of a key management service, and returns what it
 * printed, trimmed. The words of the setting, split at spaces, are the program and its arguments: there is no shell.
 * @throws EncryptionKeyError when it cannot be started, fails, takes too long, or prints too much
 */
export function runKeyCommand(command: string): Promise<string> {
  const [program = "", ...args] = command.trim().split(/\s+/);
  return new Promise((resolve, reject) => {
    const options = { timeout: TIMEOUT_MS, maxBuffer: MAX_BYTES, killSignal: "SIGKILL" } as const;
    // No input: a command that asks for a password would otherwise take the terminal's.
    execFile(program, args, options, (error, stdout) => {
      if (error === null) resolve(stdout.trim());
      else reject(new EncryptionKeyError(`ENCRYPTION_KEY_COMMAND: ${program} ${reasonOf(error)}. ${BY_HAND}`));
    }).stdin?.end();
  });
}

/** What happened, without what the command wrote: Node's own message quotes it. */
function reasonOf(
  error: Error & { readonly killed?: boolean | undefined; readonly signal?: string | null | undefined },
): string {
  const code: unknown = "code" in error ? error.code : undefined;
  if (codeOf(error) === "ENOENT") return "is not there";
  if (codeOf(error) === "EACCES") return "may not be run by this user";
  if (codeOf(error) === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return `printed more than ${MAX_BYTES} bytes`;
  if (error.killed === true) return `took longer than ${TIMEOUT_MS / 1_000} s`;
  return typeof code === "number" ? `ended with exit code ${code}` : `was ended by ${error.signal ?? "an error"}`;
}
