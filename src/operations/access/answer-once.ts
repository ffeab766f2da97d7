import { AppError } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import { claimAnswer, readAnswer, storeAnswer } from "#db/queries/access/idempotent-answers.ts";
import type { AnswerRow } from "#db/queries/access/idempotent-answers.ts";
import type { Services } from "../context.ts";
import { jointly } from "../jointly.ts";

/** SQLSTATE lock_not_available: the wait for a lock was cut short. */
const WAITED_TOO_LONG = "55P03";

/** An answer of success as its caller gets it. */
export interface Answer {
  readonly requestId: string;
  readonly status: 200 | 201;
  readonly body: string;
}

/** A request that its caller may send again. */
export interface KeyedRequest {
  readonly who: Principal;
  /** The caller's name for it, unique in the workspace. */
  readonly key: string;
  /** SHA-256 of everything that makes it this request, in hex. */
  readonly hash: string;
}

/** What a request came to: its answer to be stored, and the same in the caller's form. */
export interface Executed<Response> {
  readonly answer: Answer;
  readonly response: Response;
}

/**
 * Executes a request once, however often it is sent within 24 hours and to however many processes.
 * The answer is stored in the same transaction as what the request does, so that one is never there
 * without the other, whenever a process dies. Requests with the same key wait for each other.
 *
 * A request that is rejected does nothing, and its answer is not stored: the key is free again.
 * @param execute does it with the services it is given, or throws a rejection, which rolls back; it is executed again
 *   after a deadlock
 * @returns the stored answer, or what `execute` has given now
 * @throws AppError `conflict` when the key was used for another request, or is in use for too long.
 */
export async function answerOnce<Given extends Services, Response>(
  services: Given,
  request: KeyedRequest,
  execute: (joined: Given) => Promise<Executed<Response>>,
): Promise<{ readonly stored: Answer } | { readonly executed: Response }> {
  const { who, hash } = request;
  const key = { workspaceId: who.workspaceId, key: request.key };
  return jointly(services, who, async (joined, tx) => {
    const stored = await claimAnswer(tx, key).catch(explainWait);
    if (stored !== undefined) return { stored: opened(services, request, stored) };
    const { answer, response } = await execute(joined);
    const bodyCiphertext = services.secrets.encrypt(answer.body, answerContext(key.workspaceId, key.key));
    await storeAnswer(tx, key, { ...answer, requestHash: hash, bodyCiphertext });
    return { executed: response };
  });
}

/**
 * Finds the stored answer to a request, without waiting for one that is in progress.
 * @throws AppError `conflict` when the key was used for another request.
 */
export async function findAnswer(services: Services, request: KeyedRequest): Promise<Answer | undefined> {
  const { who, key } = request;
  const stored = await readAnswer(services.db, who, { workspaceId: who.workspaceId, key });
  return stored && opened(services, request, stored);
}

function opened({ secrets }: Services, { who, key, hash }: KeyedRequest, stored: AnswerRow): Answer {
  if (stored.requestHash !== hash) throw otherRequest();
  return { ...stored, body: secrets.open(stored.bodyCiphertext, answerContext(who.workspaceId, key)) };
}

/** The row to which an encrypted answer is bound. */
export function answerContext(workspaceId: string, key: string): string {
  return `idempotent-answer:${workspaceId}:${key}`;
}

function otherRequest(): AppError {
  return new AppError(
    "conflict",
    "This Idempotency-Key was used for another request: its path, its version or its body was different.",
  );
}

function explainWait(error: unknown): never {
  if (!(error instanceof Error && "code" in error && error.code === WAITED_TOO_LONG)) throw error;
  throw new AppError("conflict", "A request with this Idempotency-Key is still in progress; send it again later.", {
    cause: error,
  });
}
