import { rowsOnClient } from "../rows-on-client.ts";
import { statement } from "../statement.ts";
import { awaitLocks } from "./await-locks.ts";
import type { Changing } from "./await-locks.ts";
import type { Migration } from "./files.ts";
import { statementsOf } from "./statements.ts";

/**
 * Applies a migration and records it. After a crash at any point it can be applied again.
 * @throws SchemaError when it gets no lock
 */
export async function applyMigration(changing: Changing, migration: Migration): Promise<void> {
  if (migration.manner === "concurrently") await buildIndexes(changing, migration);
  if (migration.manner === "batches") await runBatches(changing, migration);
  await awaitLocks(changing, subjectOf(migration), () =>
    inTransaction(changing, async () => {
      if (migration.manner === "whole") await changing.client.query(migration.sql);
      await record(changing, migration);
    }),
  );
}

/** Runs a function in a transaction. */
export async function inTransaction<T>({ client }: Pick<Changing, "client">, run: () => Promise<T>): Promise<T> {
  await client.query("begin");
  try {
    const result = await run();
    await client.query("commit");
    return result;
  } catch (error) {
    // On a lost connection it fails as well, with a less useful message.
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}

const BUILD = /^create\s+(?:unique\s+)?index\s+concurrently\s+if\s+not\s+exists\s+(\S+)\s+on\s/i;
const DROP = /^drop\s+index\s+concurrently\s+if\s+exists\s/i;

async function buildIndexes(changing: Changing, migration: Migration): Promise<void> {
  const { wait } = changing;
  // A build blocks no one while it waits for older transactions, so it need not start over.
  const calm = { ...wait, waitMs: wait.waitMs * wait.tries, tries: 1 };
  for (const text of statementsOf(migration.sql)) {
    const index = BUILD.exec(text)?.[1];
    if (index === undefined && !DROP.test(text)) {
      throw new Error(
        `${migration.name}: "create index concurrently if not exists" or "drop … if exists", not: ${text}`,
      );
    }
    await awaitLocks({ ...changing, wait: calm }, subjectOf(migration), async () => {
      if (index !== undefined) await dropInvalid(changing, index);
      await changing.client.query(text);
    });
  }
}

const FIND_INVALID = statement({
  name: "find-invalid-index",
  text: `select i.indexrelid::regclass::text as name from pg_index i where i.indexrelid = to_regclass($1) and not i.indisvalid`,
});

/** Drops what an interrupted build has left: "if not exists" would take it for the index. */
async function dropInvalid({ client }: Changing, index: string): Promise<void> {
  for (const { name } of await rowsOnClient<{ name: string | null }>(client, FIND_INVALID, [index]))
    await client.query(`drop index concurrently ${name}`);
}

async function runBatches(changing: Changing, migration: Migration): Promise<void> {
  const batch = () => inTransaction(changing, () => changing.client.query(migration.sql));
  for (let changed = Infinity; changed > 0;) {
    changing.signal.throwIfAborted();
    changed = (await awaitLocks(changing, subjectOf(migration), batch)).rowCount ?? 0;
  }
}

function subjectOf({ name }: Migration): string {
  return `Migration ${name}`;
}

async function record({ client }: Changing, { version, name, checksum }: Migration): Promise<void> {
  const text = "insert into schema_migrations (version, name, checksum) values ($1, $2, $3)";
  await client.query(text, [version, name, checksum]);
}
