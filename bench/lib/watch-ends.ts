import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { treeCpuMs } from "./cpu.ts";

/** A statement that returns the ids and ends of the runs of `$1` (`of`) that ended since `$2`. */
export interface Ends {
  readonly name: string;
  readonly text: string;
  readonly of: string;
}

/**
 * Polls the database for ended runs. The CPU time of its connection is counted separately, since it is not the service's.
 */
export async function watchEnds(databaseUrl: string, { of, ...statement }: Ends, pauseMs: number) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const backend = rows[0]?.pid ?? 0;
  const waiting = new Map<string, () => void>();
  const over = new Set<string>();
  let since = "-infinity";
  let watching = true;
  let polls = 0;

  async function watch(): Promise<void> {
    while (watching) {
      polls += 1;
      const ended = await client.query<{ id: string; completed_at: string }>({ ...statement, values: [of, since] });
      for (const { id, completed_at } of ended.rows) {
        since = completed_at;
        // The end is stamped before it is committed: look back a little, and count each once.
        if (over.has(id)) continue;
        over.add(id);
        waiting.get(id)?.();
      }
      await sleep(pauseMs);
    }
  }
  const done = watch();
  return {
    cpuMs: () => treeCpuMs(backend),
    /** How often it has asked: each is a commit. */
    polls: () => polls,
    async wait(id: string) {
      if (!over.has(id)) await new Promise<void>((resolve) => waiting.set(id, resolve));
      waiting.delete(id);
    },
    async close() {
      watching = false;
      await done;
      await client.end();
    },
  };
}
