import type { Database, Transaction, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";

/** A stored response. */
export interface AnswerRow {
  /** SHA-256 of the request, in hex. */
  readonly requestHash: string;
  readonly requestId: string;
  readonly status: 200 | 201;
  /** The body, encrypted. */
  readonly bodyCiphertext: string;
}

/** The owner of the idempotency key. */
export interface AnswerKey {
  readonly workspaceId: string;
  readonly key: string;
}

/** How long a response is kept. */
const LIFETIME = "interval '24 hours'";

const LOCK = statement({ name: "lock-idempotency-key", text: `select pg_advisory_xact_lock(hashtextextended($1, 0))` });
const FIND = statement({
  name: "find-idempotent-answer",
  text: `
    select request_hash as "requestHash", request_id as "requestId", status, body_ciphertext as "bodyCiphertext"
    from idempotent_answers
    where workspace_id = $1 and key = $2 and created_at > now() - ${LIFETIME}`,
});

/**
 * Locks an idempotency key until the transaction ends, across processes, and returns the stored response if there is
 * one. The lock ends with the connection, so a crashed process blocks no request.
 * @throws an error with the code 55P03 when another request holds the key for 10 seconds
 */
export async function claimAnswer(tx: Transaction, { workspaceId, key }: AnswerKey): Promise<AnswerRow | undefined> {
  const [, [row]] = await Promise.all([
    tx.query(LOCK, [`${workspaceId} ${key}`]),
    tx.query<AnswerRow>(FIND, [workspaceId, key]),
  ]);
  return row;
}

/** Reads a stored response, if any. */
export async function readAnswer(
  db: WorkspaceDatabase,
  { workspaceId, key }: AnswerKey,
): Promise<AnswerRow | undefined> {
  const [row] = await db.query<AnswerRow>(FIND, [workspaceId, key]);
  return row;
}

const STORE = statement({
  name: "store-idempotent-answer",
  text: `
    insert into idempotent_answers (workspace_id, key, request_hash, request_id, status, body_ciphertext)
    values ($1, $2, $3, $4, $5, $6)
    on conflict (workspace_id, key) do update set
      (request_hash, request_id, status, body_ciphertext, created_at) =
      (excluded.request_hash, excluded.request_id, excluded.status, excluded.body_ciphertext, excluded.created_at)`,
});

/** Stores a response in place of an expired one. Call it while holding the lock of {@link claimAnswer}. */
export async function storeAnswer(tx: Transaction, { workspaceId, key }: AnswerKey, answer: AnswerRow): Promise<void> {
  const { requestHash, requestId, status, bodyCiphertext } = answer;
  await tx.query(STORE, [workspaceId, key, requestHash, requestId, status, bodyCiphertext]);
}

const DELETE_OLD = statement({
  name: "delete-old-idempotent-answers",
  text: `
    delete from idempotent_answers a using (
      select o.workspace_id, o.key from idempotent_answers o
      where o.created_at < now() - ${LIFETIME} order by o.created_at limit $1
    ) old
    where a.workspace_id = old.workspace_id and a.key = old.key
    returning 1`,
});

/** Deletes up to `limit` expired responses; returns the number. */
export async function deleteOldAnswers(db: Database, limit: number): Promise<number> {
  return (await db.query(DELETE_OLD, [limit])).length;
}
