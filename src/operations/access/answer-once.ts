import { createHash } from "node:crypto";
import { AppError } from "#domain/errors.ts";
import { claimAnswer, readAnswer, storeAnswer } from "#db/queries/access/idempotent-answers.ts";
import type { AnswerRow } from "#db/queries/access/idempotent-answers.ts";
import { isLockTimeout } from "#db/retry-outage.ts";
import type { Services } from "../context.ts";
import { inSharedTransaction } from "../shared-transaction.ts";
import type { Workspace } from "../workspace.ts";

/** A successful response as the caller receives it. */
export interface Answer {
  readonly requestId: string;
  readonly status: 200 | 201;
  readonly body: string;
}

/** A request that the client may repeat. */
export interface KeyedRequest {
  /** The client's idempotency key, unique in the workspace. */
  readonly key: string;
  /** SHA-256 over everything that identifies the request, in hex. */
  readonly hash: string;
}

/** The result of a request: the response to store, and the same in the caller's form. */
export interface Executed<Response> {
  readonly answer: Answer;
  readonly response: Response;
}

/**
 * Executes a request once, even if it is sent repeatedly and to several processes within 24 hours. The response is
 * stored in the same transaction as the request's effects. A crash therefore never leaves one without the other.
 * Requests with the same key wait for each other.
 *
 * A rejected request has no effects and its response is not stored: the key can be used again.
 * @param execute runs the request in the workspace it is given, or throws a rejection, which rolls back; it is  
 * executed again after a deadlock
 * @returns the stored response, or the one that `execute` has just returned
 * @throws AppError `conflict` when the key was used for another request, or is in use for too long.
 */
export async function answerOnce<Given extends Services, Response>(
  workspace: Workspace<Given>,
  request: KeyedRequest,
  execute: (joined: Workspace<Given>) => Promise<Executed<Response>>,
): Promise<{ readonly stored: Answer } | { readonly executed: Response }> {
  const key = { workspaceId: workspace.who.workspaceId, key: request.key };
  const requestHash = personalHash(workspace, request);
  return inSharedTransaction(workspace, async (joined, tx) => {
    const stored = await claimAnswer(tx, key).catch(explainWait);
    if (stored !== undefined) return { stored: opened(workspace, request, stored) };
    const { answer, response } = await execute(joined);
    const bodyCiphertext = workspace.secrets.encrypt(answer.body, answerContext(key.workspaceId, key.key));
    await storeAnswer(tx, key, { ...answer, requestHash, bodyCiphertext });
    return { executed: response };
  });
}

/**
 * Finds the stored response to a request, without waiting for one in progress.
 * @throws AppError `conflict` when the key was used for another request.
 */
export async function findAnswer(workspace: Workspace, request: KeyedRequest): Promise<Answer | undefined> {
  const stored = await readAnswer(workspace, { workspaceId: workspace.who.workspaceId, key: request.key });
  return stored && opened(workspace, request, stored);
}

function opened(workspace: Workspace, request: KeyedRequest, stored: AnswerRow): Answer {
  if (stored.requestHash !== personalHash(workspace, request)) throw otherRequest();
  const context = answerContext(workspace.who.workspaceId, request.key);
  return { ...stored, body: workspace.secrets.open(stored.bodyCiphertext, context) };
}

/**
 * A response may contain a secret that is shown once, with the rights of its caller: no other person gets it, and no
 * key with another reach.
 */
function personalHash({ who }: Workspace, { hash }: KeyedRequest): string {
  const caller = [who.userId, ...(who.reach ?? [])].join(" ");
  return createHash("sha256").update(`${caller}\n${hash}`).digest("hex");
}

/** The row to which an encrypted response is bound. */
export function answerContext(workspaceId: string, key: string): string {
  return `idempotent-answer:${workspaceId}:${key}`;
}

function otherRequest(): AppError {
  return new AppError(
    "conflict",
    "This Idempotency-Key was used for another request, by another person or with another path, version or body.",
  );
}

function explainWait(error: unknown): never {
  if (!isLockTimeout(error)) throw error;
  throw new AppError("conflict", "A request with this Idempotency-Key is still in progress; send it again later.", {
    cause: error,
  });
}
