import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/principal.ts";
import { claimAnswer, storeAnswer } from "#db/queries/idempotent-answers.ts";
import type { Services } from "./context.ts";

/** SQLSTATE lock_not_available: the wait for a lock was cut short. */
const WAITED_TOO_LONG = "55P03";

/** An answer of success as its caller gets it. */
export interface Answer {
  readonly requestId: string;
  readonly status: 200 | 201;
  readonly body: string;
}

/** A request that its caller may send again. */
export interface RepeatableRequest {
  /** The caller's name for it, unique in the workspace. */
  readonly key: string;
  /** SHA-256 of everything that makes it this request, in hex. */
  readonly hash: string;
}

/** Takes back everything that a refused request has done. */
class Refused extends Error {}

/**
 * Executes a request once, however often it is sent within 24 hours and to however many processes.
 * The answer is stored in the same transaction as what the request does, so that one is never there
 * without the other, whenever a process dies. Requests with the same key wait for each other.
 *
 * A request that is refused does nothing, and its answer is not stored: the key is free again.
 * @param execute gives the answer of success; undefined for a refusal, which undoes the transaction
 * @returns the stored answer; undefined when the request was executed now
 * @throws AppError `conflict` when the key was used for another request, or is in use for too long.
 */
export async function answerOnce(
  { db, secrets }: Services,
  request: RepeatableRequest & { readonly who: Principal },
  execute: () => Promise<Answer | undefined>,
): Promise<Answer | undefined> {
  const { who, hash } = request;
  const key = { workspaceId: who.workspaceId, key: request.key };
  const context = answerContext(key.workspaceId, key.key);
  try {
    return await db.jointly(who, async (tx) => {
      const stored = await claimAnswer(tx, key);
      if (stored !== undefined) {
        if (stored.requestHash !== hash) throw otherRequest();
        return { ...stored, body: secrets.open(stored.bodyCiphertext, context) };
      }
      const answer = await execute();
      if (answer === undefined) throw new Refused();
      const bodyCiphertext = secrets.seal(answer.body, context);
      await storeAnswer(tx, key, { ...answer, requestHash: hash, bodyCiphertext });
      return undefined;
    });
  } catch (error) {
    if (error instanceof Refused) return undefined;
    if (error instanceof Error && "code" in error && error.code === WAITED_TOO_LONG) throw stillUnderWay(error);
    throw error;
  }
}

/** The row to which a sealed answer is bound. */
export function answerContext(workspaceId: string, key: string): string {
  return `idempotent-answer:${workspaceId}:${key}`;
}

function otherRequest(): AppError {
  return new AppError(
    "conflict",
    "This Idempotency-Key was used for another request: its path, its version or its body was different.",
  );
}

function stillUnderWay(cause: Error): AppError {
  return new AppError("conflict", "A request with this Idempotency-Key is still under way; send it again later.", {
    cause,
  });
}
