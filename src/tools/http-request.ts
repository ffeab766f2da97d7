import { z } from "zod";
import { fetchWhole } from "#lib/safe-fetch/fetch-whole.ts";
import type { WholeResponse } from "#lib/safe-fetch/fetch-whole.ts";
import { defineTool } from "./define-tool.ts";
import { bodyText } from "#lib/http/body-text.ts";
import { requestHeaders } from "#lib/http/request-headers.ts";

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_BODY = 500_000;
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;
/** Methods without side effects on the server (https://www.rfc-editor.org/rfc/rfc9110#section-9.2.1). */
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD"]);
const SHOWN_HEADERS = ["content-type", "location", "retry-after", "link"] as const;

/** Lets an agent send a request to any public API. */
export default defineTool({
  name: "http_request",
  description:
    "Sends an HTTP request and returns the status, some headers and the body. For APIs; read_url is better for pages.",
  input: z.strictObject({
    url: z.string().min(1).max(8_000).describe("An http or https URL."),
    method: z.enum(METHODS).default("GET"),
    headers: requestHeaders.default({}),
    body: z.string().max(MAX_BODY).optional().describe("JSON or other text; name its kind in a Content-Type header."),
  }),
  async execute({ url, method, headers, body }, { fetch, signal, idempotencyKey }) {
    const changes = !SAFE_METHODS.has(method);
    if (!changes && body !== undefined) throw new Error(`A ${method} request has no body.`);
    const response = await fetchWhole(fetch, url, {
      method,
      headers: { ...(changes && { "Idempotency-Key": idempotencyKey }), ...headers },
      ...(body !== undefined && { body }),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      signal,
    });
    return written(response);
  },
});

function written(response: WholeResponse): string {
  const headers = SHOWN_HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [`${name}: ${value}`];
  });
  return [`HTTP ${response.status}`, ...headers, "", bodyText(response)].join("\n").trimEnd();
}
