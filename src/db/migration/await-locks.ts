import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { codeOf } from "#lib/error-code.ts";
import { KEEP_ALIVE, named } from "../pool.ts";
import { rowsOnClient } from "../rows-on-client.ts";
import { statement } from "../statement.ts";
import { SchemaError } from "./schema-error.ts";

/** How long a change of the schema waits for locks, in milliseconds. */
export interface LockWait {
  /** One wait: requests of the version that serves queue behind it. */
  readonly waitMs: number;
  /** Between two waits, in which the requests pass. */
  readonly pauseMs: number;
  /** Tries before it gives up. */
  readonly tries: number;
}

/** Two minutes in total. */
export const LOCK_WAIT: LockWait = { waitMs: 2_000, pauseMs: 2_000, tries: 30 };

/** A lock that did not come in time, and a victim of a deadlock. */
const LOCKED: ReadonlySet<unknown> = new Set(["55P03", "40P01"]);

/** What changes the schema. */
export interface Changing {
  readonly client: Client;
  /** Where to look for who holds a lock. */
  readonly url: string;
  readonly wait: LockWait;
  readonly signal: AbortSignal;
}

/**
 * Runs a change that leaves nothing behind when it fails, repeatedly until it gets its locks.
 * @param what names it, as a subject
 * @throws SchemaError which names who holds the lock, after the last try; the signal's reason
 */
export async function awaitLocks<T>(changing: Changing, what: string, change: () => Promise<T>): Promise<T> {
  const { client, url, wait, signal } = changing;
  await client.query(`set lock_timeout = ${wait.waitMs}`);
  for (let tries = 1; ; tries += 1) {
    const watch = await watchBlockers(url, client, wait.waitMs / 2);
    try {
      return await change();
    } catch (error) {
      if (!LOCKED.has(codeOf(error))) throw error;
      if (tries >= wait.tries) throw gaveUp(what, wait, watch.seen());
    } finally {
      await watch.stop();
    }
    await sleep(wait.pauseMs, undefined, { signal });
  }
}

const BACKEND = statement({ name: "migration-backend", text: "select pg_backend_pid() as pid" });
const BLOCKERS = statement({
  name: "migration-blockers",
  text: `
    select b.pid, a.application_name as application, a.state,
      extract(epoch from clock_timestamp() - coalesce(a.xact_start, a.backend_start))::double precision as seconds
    from unnest(pg_blocking_pids($1)) b (pid) left join pg_stat_activity a on a.pid = b.pid
    order by coalesce(a.xact_start, a.backend_start), b.pid limit 1`,
});

interface Blocker {
  readonly pid: number | null;
  readonly application: string | null;
  readonly state: string | null;
  readonly seconds: number | null;
}

/** Looks at intervals for the session that holds what a connection waits for; a change that waits for none costs nothing. */
async function watchBlockers(url: string, client: Client, intervalMs: number) {
  const [backend] = await rowsOnClient<{ pid: number | null }>(client, BACKEND);
  const stopping = new AbortController();
  let seen: Blocker | undefined;
  let watcher: Client | undefined;
  async function look(): Promise<void> {
    watcher ??= await connect(url);
    const [blocker] = await rowsOnClient<Blocker>(watcher, BLOCKERS, [backend?.pid]);
    seen = blocker ?? seen;
  }
  async function watch(): Promise<void> {
    for (;;) {
      await sleep(intervalMs, undefined, { signal: stopping.signal });
      await look();
    }
  }
  // It only makes a message better; without a connection the message does without.
  const watching = watch().catch(() => undefined);
  return {
    seen: () => seen,
    async stop() {
      stopping.abort();
      await watching;
      await watcher?.end();
    },
  };
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: named(url), ...KEEP_ALIVE });
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

function gaveUp(what: string, { tries, waitMs }: LockWait, blocker: Blocker | undefined): SchemaError {
  const holder = blocker === undefined ? "another session" : describe(blocker);
  const remedy =
    blocker?.pid == null
      ? "Let it end, and start again."
      : `Let it end, or run: SELECT pg_terminate_backend(${blocker.pid}); Then start again.`;
  const waits = `${tries} ${tries === 1 ? "time" : "times"} for ${waitMs / 1_000} s`;
  return new SchemaError(`${what} waited ${waits} for a lock that ${holder} holds, and was not applied. ${remedy}`);
}

function describe({ pid, application, state, seconds }: Blocker): string {
  const name = application === null || application === "" ? "unnamed" : application;
  const age = seconds === null ? "" : `, ${Math.round(seconds)} s old`;
  return `pid ${pid} (${name}${age}${state === null ? "" : `, ${state}`})`;
}
