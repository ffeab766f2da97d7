import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "./node-environment.ts";

/**
 * Starts one of this folder's programs that do for a whole worker what would take a process each time. It ends with
 * the worker, and does not keep it from its end.
 */
export function forkHost(program: string): ChildProcess {
  const child = fork(join(import.meta.dirname, program), {
    env: NODE_ENVIRONMENT,
    execArgv: [...NODE_FLAGS],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  child.setMaxListeners(0);
  child.unref();
  child.channel?.unref();
  process.once("exit", () => child.kill("SIGKILL"));
  return child;
}

/**
 * Sends a message and waits for the first answer that `read` takes for its own.
 * @param read undefined for messages that answer something else
 * @throws Error when the host ends before.
 */
export function askHost<T>(child: ChildProcess, message: object, read: (answer: unknown) => T | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const done = (end: () => void) => {
      child.off("message", hear).off("exit", gone);
      child.channel?.unref();
      end();
    };
    const gone = () => done(() => reject(new Error("A host of the tests has ended: see its output.")));
    const hear = (received: unknown) => {
      const answer = read(received);
      if (answer !== undefined) done(() => resolve(answer));
    };
    child.channel?.ref();
    child.on("message", hear).on("exit", gone);
    child.send(message);
  });
}
