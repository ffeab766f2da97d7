import { z } from "zod";
import { mediaTypeOf } from "#lib/http/body-text.ts";

/** What a failed call gets that names no status of its own: another attempt may succeed. */
const BAD_GATEWAY = 502;

const message = z.string().min(1);
const status = z.int().min(400).max(599).catch(BAD_GATEWAY);

const failure = z.union([
  z.object({ error: z.object({ message, code: status }) }).transform(({ error }) => error.code),
  z.object({ error: message }).transform(() => BAD_GATEWAY),
]);

/**
 * Some gateways answer a failed call with status 200 and `{"error": …}`. Gives such a response the status of its
 * `error.code`, or else 502, so that its message is read and the call is repeated like any other that failed.
 */
export async function withErrorStatus(answer: Response): Promise<Response> {
  if (answer.status !== 200 || mediaTypeOf(answer) !== "application/json") return answer;
  const body = await answer.text();
  return new Response(body, { status: statusOf(body) ?? 200, headers: answer.headers });
}

function statusOf(body: string): number | undefined {
  // Embeddings are large, and would be parsed twice.
  if (!body.includes('"error"')) return undefined;
  try {
    return failure.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}
