import { spawn } from "node:child_process";
import type { ChildProcess, ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { join } from "node:path";
import { askHost, forkHost } from "./hosts/forked-host.ts";
import { commandReport } from "./hosts/muster-host-messages.ts";
import type { CommandOrder } from "./hosts/muster-host-messages.ts";
import { NODE_ENVIRONMENT } from "./hosts/node-environment.ts";
import type { TestAccess } from "./service.ts";

const CLI = join(import.meta.dirname, "../../src/cli/main.ts");

/** How a `muster` process ended, and what it wrote. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A running `muster` process. */
export interface MusterProcess {
  readonly process: ChildProcess;
  /** Waits until standard output holds this. */
  prints(pattern: RegExp): Promise<string>;
  readonly ended: Promise<Ended>;
}

/** How to run a command. */
export interface MusterOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input; nothing when absent. */
  readonly input?: string;
  readonly cwd?: string;
}

const idleHosts: ChildProcess[] = [];

/**
 * Runs the command line client to its end, in a process that this worker keeps for it. A command that starts a service
 * or a database needs its own: {@link startMuster}. What a command logs is not in its standard error.
 */
export async function runMuster(args: readonly string[], options: MusterOptions = {}): Promise<Ended> {
  const { env = {}, input = "", cwd } = options;
  const host = idleHosts.pop() ?? forkHost("muster-host-process.ts");
  const order: CommandOrder = { args: [...args], env: { ...env }, input, ...(cwd !== undefined && { cwd }) };
  const ended = await askHost(host, order, (report) => commandReport.parse(report));
  idleHosts.push(host);
  return ended;
}

/** Starts the real command line client as a process, for what is stopped, watched, or becomes a service. */
export function startMuster(args: readonly string[], { env, input = "", cwd }: MusterOptions = {}): MusterProcess {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd,
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...NODE_ENVIRONMENT, ...env },
  });
  child.stdin.end(input);
  return watchProcess(child);
}

/** Reads what a process writes, from now on. */
export function watchProcess(child: ChildProcessByStdio<Writable | null, Readable, Readable>): MusterProcess {
  let printed = "";
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const ended = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]).then(
    ([, stdout, stderr]): Ended => ({ code: child.exitCode, stdout, stderr }),
  );
  return {
    process: child,
    async prints(pattern) {
      while (!pattern.test(printed)) {
        const end = await Promise.race([once(child.stdout, "data").then(() => undefined), ended]);
        if (end === undefined || pattern.test(printed)) continue;
        throw new Error(`muster ended before it printed ${pattern.source}: ${printed}${end.stderr}`);
      }
      return printed;
    },
    ended,
  };
}

/** The environment of a user of this service. */
export function environmentOf({ url, keys }: TestAccess): Record<string, string> {
  return { MUSTER_URL: url, MUSTER_API_KEY: keys.api };
}
