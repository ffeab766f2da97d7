import type { Asked } from "./probe-shapes.ts";

/** How long an answer may take; a stream that stays open shows what it must not. */
const ANSWER_MS = 30_000;

/** An answer of the service, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The headers of a request, by name. */
export type RequestHeaders = Readonly<Record<string, string>>;

/**
 * Sends a request of a probe to a route, and reads the answer, whatever it is.
 * @param baseUrl of the service
 * @param route its method and path, as in `GET /console/api/keys/{id}`
 */
export async function ask(baseUrl: string, route: string, { asked, headers, signal }: Sent): Promise<Answer> {
  const [method = "", path = ""] = route.split(" ");
  const { body } = asked;
  const at = asked.at ?? path.replace(/\{\w+\}/, encodeURIComponent(asked.param ?? ""));
  const response = await fetch(baseUrl + at, {
    method: asked.method ?? method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...asked.headers, ...headers },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    signal: AbortSignal.any([AbortSignal.timeout(ANSWER_MS), ...(signal === undefined ? [] : [signal])]),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** A request, and who makes it. */
export interface Sent {
  readonly asked: Asked;
  readonly headers: RequestHeaders;
  /** Aborts the request. */
  readonly signal?: AbortSignal;
}
