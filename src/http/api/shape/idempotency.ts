import { createHash } from "node:crypto";
import { AppError } from "#domain/errors.ts";
import { includesRole } from "#domain/access/role.ts";
import { answerOnce, findAnswer } from "#operations/access/answer-once.ts";
import type { Answer } from "#operations/access/answer-once.ts";
import type { HttpContext, HttpWorkspace } from "../../context.ts";
import type { Endpoint } from "./endpoint.ts";
import { respondStored } from "./respond.ts";

const KEY = /^[\x20-\x7e]{1,255}$/;

/**
 * Responds to a POST with an `Idempotency-Key`. A repeated request gets the stored response, byte by byte and with its
 * request id. Keys belong to the workspace; only successful responses are stored.
 * @throws AppError `bad_request` for an invalid key; `conflict` when it was used for another request.
 */
export async function respondOnce(c: HttpContext, workspace: HttpWorkspace, endpoint: Endpoint): Promise<Response> {
  const key = c.req.header("Idempotency-Key");
  if (key !== undefined && !KEY.test(key)) {
    throw new AppError("bad_request", "An Idempotency-Key is 1 to 255 printable characters.");
  }
  // Read-only callers can store nothing.
  if (key === undefined || !includesRole(workspace.who.role, "member")) {
    return (await endpoint.begin(c, workspace))(workspace);
  }
  const { hash = hashOf, prepares } = endpoint;
  const request = { key, hash: await hash(c) };
  const known = prepares ? await findAnswer(workspace, request) : undefined;
  if (known !== undefined) return respondStored(c, known);
  const finish = await endpoint.begin(c, workspace);
  const outcome = await answerOnce(workspace, request, async (joined) => {
    const response = await finish(joined);
    return { response, answer: await answerOf(c, response) };
  });
  return "stored" in outcome ? respondStored(c, outcome.stored) : outcome.executed;
}

async function hashOf(c: HttpContext): Promise<string> {
  const { pathname, search } = new URL(c.req.url);
  const body = await c.req.arrayBuffer();
  return createHash("sha256")
    .update(`${pathname}${search}\nversion ${c.get("apiVersion")}\n`)
    .update(new Uint8Array(body))
    .digest("hex");
}

async function answerOf(c: HttpContext, response: Response): Promise<Answer> {
  const { status } = response;
  if (status !== 200 && status !== 201) throw new Error(`A POST was answered with ${status}, which cannot be stored.`);
  return { requestId: c.get("requestId"), status, body: await response.clone().text() };
}
