import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { codeOf } from "#lib/error-code.ts";
import { NoLocalPostgresError } from "./no-local-postgres.ts";
import type { ClusterLocation } from "./cluster-location.ts";

/** No part of the service's environment (secrets, PG… variables) reaches the server. */
const ENVIRONMENT = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

/** The program to run, and where its output goes. */
export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  /** An open file for stdout and stderr, or 'pipe'. */
  readonly output: number | "pipe";
  /** Variables besides those that every program gets. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Starts a PostgreSQL program as the account of the location, in its own session, so that Ctrl-C in the service's
 * terminal does not reach it.
 * @throws {NoLocalPostgresError} when the system rejects immediately; later rejections are the child's `error` event
 */
export function spawnAs(location: ClusterLocation, { program, args, output, env = {} }: Command): ChildProcess {
  const identity = location.account.differs ? { uid: location.account.uid, gid: location.account.gid } : {};
  const stdio = ["ignore", output, output] satisfies StdioOptions;
  try {
    return spawn(program, args, { ...identity, cwd: "/", env: { ...ENVIRONMENT, ...env }, detached: true, stdio });
  } catch (error) {
    throw startFailure(program, error);
  }
}

/**
 * Runs a PostgreSQL program and waits for its end.
 * @throws {NoLocalPostgresError} when it cannot be started
 * @throws {Error} when it fails; the message is the line of its output with the reason
 */
export async function runAs(location: ClusterLocation, command: Omit<Command, "output">): Promise<void> {
  const { program } = command;
  const child = spawnAs(location, { ...command, output: "pipe" });
  let output = "";
  const collect = (chunk: Buffer): void => void (output += chunk.toString());
  child.stdout?.on("data", collect);
  child.stderr?.on("data", collect);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  child.on("error", (error) => reject(startFailure(program, error)));
  child.on("close", (code) => {
    if (code === 0) resolve();
    else reject(new Error(errorLine(output) ?? `${program} ended with code ${code}`));
  });
  return promise;
}

/** The error when the system refused to start a program. */
export function startFailure(program: string, error: unknown): NoLocalPostgresError {
  const hints: Record<string, string> = {
    EPERM: "this root may not change to another user (CAP_SETUID is missing)",
    ENOENT: `${program} cannot be run (the programs need glibc; Alpine and other musl systems have none)`,
  };
  const reason = hints[codeOf(error)] ?? `${program} cannot be run (${String(error)})`;
  return new NoLocalPostgresError(reason, { cause: error });
}

/** The line of a program's output with the reason of the failure. */
export function errorLine(output: string): string | undefined {
  const lines = output
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  return lines.findLast((line) => /error:|FATAL:|PANIC:|cannot|not found/.test(line)) ?? lines.at(-1);
}
