import { randomBytes } from "node:crypto";
import { Client } from "pg";
import type { RequestLink } from "./open-database.ts";
import { named } from "./pool.ts";
import { isOutage } from "./retry-outage.ts";

/** With a pooler of one connection the probe would wait forever. */
const ANSWER_MS = 3_000;

/**
 * Detects a transaction pooler, and whether it supports prepared statements: while one client has a transaction open on
 * the session that another client has just used, the other gets another session.
 */
export async function probePooler(url: string): Promise<Omit<RequestLink, "url">> {
  const [one, other] = [openClient(url), openClient(url)];
  try {
    await Promise.all([one.connect(), other.connect()]);
    const session = { name: `probe-${randomBytes(6).toString("hex")}`, text: "select pg_backend_pid() as pid" };
    const before = pidOf(await one.query(session));
    await other.query("begin");
    const taken = pidOf(await other.query(session.text));
    const after = await one.query(session).then(pidOf, (error: unknown) => {
      // A pooler of one connection keeps it waiting; a connection that is lost says nothing of a pooler.
      if (taken !== before && isOutage(error)) throw error;
      return undefined;
    });
    const isPooled = taken === before || after !== before;
    return { isPooled, keepsStatements: !isPooled || after !== undefined };
  } finally {
    await Promise.all([one, other].map((client) => client.end().catch(() => undefined)));
  }
}

function openClient(url: string): Client {
  const limits = { connectionTimeoutMillis: ANSWER_MS, query_timeout: ANSWER_MS };
  const client = new Client({ connectionString: named(url), ...limits });
  client.on("error", () => undefined);
  return client;
}

function pidOf({ rows: [row] }: { readonly rows: readonly { readonly pid?: number }[] }): number | undefined {
  return row?.pid;
}
