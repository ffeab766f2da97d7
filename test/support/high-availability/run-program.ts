import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { text } from "node:stream/consumers";
import type { ServerAccount } from "#db/embedded/server-account.ts";

/** Programs that run as an account that is not root's. */
export interface Runner {
  /** Runs a program to its end. @throws Error with its output when it fails */
  run(program: string, ...args: string[]): Promise<string>;
  /** Starts a program whose output goes to a file; it ends with this process. */
  start(logFile: string, program: string, ...args: string[]): ChildProcess;
}

/** Runs programs as an account, in its folder. */
export function runnerAs({ uid, gid, differs }: ServerAccount, cwd: string): Runner {
  const identity = { cwd, env: { PATH: "/usr/bin:/bin", LC_ALL: "C", HOME: cwd }, ...(differs && { uid, gid }) };
  return {
    async run(program, ...args) {
      const child = spawn(program, args, { ...identity, stdio: ["ignore", "pipe", "pipe"] });
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
      if (child.exitCode === 0) return stdout;
      throw new Error(`${program} ended with ${child.exitCode}: ${stderr}`);
    },
    start(logFile, program, ...args) {
      const log = openSync(logFile, "a");
      const child = spawn(program, args, { ...identity, stdio: ["ignore", log, log] });
      const end = () => void child.kill("SIGKILL");
      process.once("exit", end);
      child.once("exit", () => process.off("exit", end));
      return child;
    },
  };
}
