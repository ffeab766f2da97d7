import { EventSourceParserStream } from "eventsource-parser/stream";
import { z } from "zod";
import { AppError } from "#domain/errors.ts";

/** A response has a result or an error; notifications have neither. */
const rpcResponse = z.looseObject({ id: z.unknown() }).refine((message) => "result" in message || "error" in message);

/**
 * Turns the SDK's event stream into one JSON body, for a client that did not ask for a stream: its JSON-RPC response,
 * or the list of responses to a batch. Notifications are dropped. Any other response is returned as it is.
 * @throws AppError `unavailable` if the stream ends without a response.
 */
export async function asJsonResponse(
  response: Response,
  { isBatch }: { readonly isBatch: boolean },
): Promise<Response> {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (!isStream || response.body === null) return response;
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  const found: unknown[] = [];
  for await (const { data } of events) {
    const message: unknown = JSON.parse(data);
    if (rpcResponse.safeParse(message).success) found.push(message);
  }
  if (found.length === 0) throw new AppError("unavailable", "The call ended without a response.");
  return Response.json(isBatch ? found : found[0], { status: response.status });
}
