import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { getCompileCacheDir } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { DatabaseLine } from "./wire/database-line.ts";

const PROGRAM = join(import.meta.dirname, "../main.ts");
const READY = /Muster is ready at http:\/\/\S+:(\d+)/;
/** How much of its output is kept. */
const LAST_CHARACTERS = 2_000;

/** A process of the service that is up. */
export interface ServiceProcess {
  /** Its name, which is also its key for the models. */
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  readonly line: DatabaseLine;
  /** Ends it at once, as `kill -9` does. */
  kill(): void;
  /** Asks it to stop and waits for its end. */
  stop(): Promise<void>;
  /** Stops it in the middle of what it does, for so long. */
  freeze(ms: number): Promise<void>;
  /** Resolves when it has ended, with what it wrote last and whether {@link kill} or {@link stop} ended it. */
  readonly ended: Promise<{ readonly isWanted: boolean; readonly lastWords: string }>;
}

/** What a process is started with. */
export interface ServicePlace {
  readonly name: string;
  readonly folder: string;
  readonly line: DatabaseLine;
  readonly env: Readonly<Record<string, string>>;
}

/** Starts the service's own program. @returns undefined when it ended before it was ready. */
export async function startServiceProcess(place: ServicePlace): Promise<ServiceProcess | undefined> {
  const { name, folder, line, env } = place;
  const cache = getCompileCacheDir();
  const child = spawn(process.execPath, [PROGRAM], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }), ...env },
  });
  const output = keepOutput(child);
  let isWanted = false;
  const end = (signal: NodeJS.Signals) => {
    isWanted = true;
    child.kill(signal);
  };
  const ended = once(child, "exit").then(async () => {
    await line.close();
    return { isWanted, lastWords: output() };
  });
  const port = await Promise.race([readPort(child), ended]);
  if (typeof port !== "number" || child.pid === undefined) return undefined;
  return {
    name,
    pid: child.pid,
    port,
    line,
    ended,
    kill: () => end("SIGKILL"),
    async stop() {
      end("SIGTERM");
      await ended;
    },
    async freeze(ms) {
      child.kill("SIGSTOP");
      await sleep(ms);
      child.kill("SIGCONT");
    },
  };
}

function keepOutput({ stdout, stderr }: ChildProcess): () => string {
  let text = "";
  for (const stream of [stdout, stderr])
    stream?.on("data", (chunk: Buffer) => (text = (text + chunk.toString()).slice(-LAST_CHARACTERS)));
  return () => text;
}

function readPort({ stdout }: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    let text = "";
    stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const [, port] = READY.exec(text) ?? [];
      if (port !== undefined) resolve(Number(port));
    });
  });
}
