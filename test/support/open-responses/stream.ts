import { z } from "zod";
import { responseResource, streamingEvent } from "./schema.ts";
import type { ResponseResource } from "./schema.ts";

const LAST = new Set(["response.completed", "response.failed", "response.incomplete"]);
const event = z.looseObject({ type: z.string(), sequence_number: z.int() });

/** An event of a response's stream. */
export type StreamedEvent = z.output<typeof event>;

/** A response's stream. */
export interface StreamedResponse {
  readonly events: readonly StreamedEvent[];
  /** The response in the last event. */
  readonly response: ResponseResource;
  readonly headers: Headers;
}

/** A request to Responses over HTTP. */
export interface OpenRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Sends a request, and reads the answer as a response object with all its required fields. */
export async function readResponse({ url, headers, body }: OpenRequest): Promise<ResponseResource> {
  const answer = await fetch(url, init(headers, body));
  const text = await answer.text();
  if (!answer.ok) throw new Error(`HTTP ${answer.status}: ${text}`);
  return responseResource.parse(JSON.parse(text));
}

/** Sends a request, and reads each event of the stream as what Open Responses allows. */
export async function readEvents({ url, headers, body }: OpenRequest): Promise<StreamedResponse> {
  const answer = await fetch(url, init(headers, body));
  const text = await answer.text();
  if (!answer.ok) throw new Error(`HTTP ${answer.status}: ${text}`);
  const events = text.split("\n\n").flatMap((frame) => {
    const lines = frame.split("\n");
    const data = lines.find((line) => line.startsWith("data: "))?.slice("data: ".length);
    if (data === undefined || data === "[DONE]") return [];
    const parsed = event.parse(JSON.parse(data));
    if (lines[0] !== `event: ${parsed.type}`) throw new Error(`The frame of ${parsed.type} names another event.`);
    streamingEvent.parse(parsed);
    return [parsed];
  });
  if (!text.endsWith("\n\ndata: [DONE]\n\n")) throw new Error("The stream does not end with [DONE].");
  const last = events.at(-1);
  if (last === undefined || !LAST.has(last.type)) throw new Error("The stream has no last event.");
  return { events, response: responseResource.parse(last["response"]), headers: answer.headers };
}

function init(headers: OpenRequest["headers"], body: object | undefined): RequestInit {
  if (body === undefined) return { headers };
  return { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body) };
}
