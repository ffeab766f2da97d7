import type { Requirements } from "./requirement.ts";

/** What every endpoint of the envelope API shares: status codes, bodies, identifiers, headers. */
export const envelope = {
  "envelope.success.get-200": { states: "A successful GET is 200.", source: "decision" },
  "envelope.success.post-201": { states: "A successful POST is 201.", source: "decision" },
  "envelope.success.patch-200": { states: "A successful PATCH is 200.", source: "decision" },
  "envelope.success.delete-204": {
    states: "A successful DELETE is 204 without a body.",
    source: "decision",
  },
  "envelope.cors.preflight-204": {
    states: "OPTIONS returns 204 and allows every header that clients of the API send.",
    source: "decision",
  },
  "envelope.cors.exposed-headers": {
    states: "Browsers may read the rate headers and X-Request-Id.",
    source: "decision",
  },
  "envelope.id.in-query": {
    states: "The query parameter id identifies the resource.",
    source: "contract",
  },
  "envelope.id.missing-400": {
    states: "PATCH and DELETE without an id are 400 on every resource.",
    source: "decision",
  },
  "envelope.id.malformed-400": {
    states: "An id that is not a UUID is 400 on every resource and method.",
    source: "decision",
  },
  "envelope.id.unknown-404": {
    states: "An unknown id is 404 on GET, PATCH and DELETE of every resource.",
    source: "decision",
  },
  "envelope.id.foreign-looks-unknown": {
    states:
      "Another workspace's id gets the same response as an unknown id on every method; its record does not change.",
    source: "decision",
  },
  "envelope.body.read-only-ignored": {
    states: "Read-only fields of a record that is sent back, such as id, workspace_id and timestamps, are ignored.",
    source: "decision",
  },
  "envelope.body.nothing-half-written": {
    states: "A rejected write changes nothing and starts no work.",
    source: "goal",
  },
  "envelope.body.json": { states: "Bodies are JSON in both directions.", source: "contract" },
  "envelope.body.malformed-400": {
    states: "A body that is not JSON is 400, never 500.",
    source: "contract",
  },
  "envelope.body.not-an-object-400": {
    states: "A body that is JSON but not an object is 400.",
    source: "decision",
  },
  "envelope.body.any-is-answered": {
    states: "No JSON body, whatever its content, makes an operation of the envelope API fail with 500.",
    source: "goal",
  },
  "envelope.body.limit": {
    states: "A body above MAX_BODY_BYTES, 1 MiB unless set, is rejected.",
    source: "decision",
  },
  "envelope.body.unknown-fields-400": {
    states: "A field that a resource does not have is 400 with its path, on create and on change, on every resource.",
    source: "decision",
  },
  "envelope.request-id.format": {
    states: "request_id is req_ followed by 16 hex digits.",
    source: "decision",
  },
  "envelope.request-id.header": {
    states: "X-Request-Id on every response is the request_id of its body.",
    source: "decision",
  },
  "envelope.request-id.log": {
    states: "The log line of a request carries the same request_id.",
    source: "decision",
  },
  "envelope.unknown-path-404": {
    states: "An unknown path is 404 with the same error body.",
    source: "contract",
  },
  "envelope.openapi.valid": {
    states: "The OpenAPI 3.1 document at /openapi.json is valid.",
    source: "goal",
  },
  "envelope.openapi.describes-answers": {
    states: "Real responses match the schemas of the OpenAPI document.",
    source: "goal",
  },
  "envelope.idempotency.replay": {
    states: "A POST repeated with the same Idempotency-Key and body within 24 hours gets the stored response.",
    source: "decision",
  },
  "envelope.idempotency.replay-header": {
    states: "A stored response has the header Idempotent-Replayed: true.",
    source: "decision",
  },
  "envelope.idempotency.other-body-409": {
    states: "The same key with another body is 409 with the code conflict.",
    source: "decision",
  },
  "envelope.idempotency.every-post": {
    states: "Every POST of the envelope API, of the console API and of files supports the header.",
    source: "decision",
  },
  "envelope.idempotency.across-processes": {
    states: "Of concurrent requests with one key, also at several processes, one is executed and all get its response.",
    source: "goal",
  },
  "envelope.idempotency.kill": {
    states: "When a process is killed during a request, a repeated request is executed once and is not blocked.",
    source: "goal",
  },
  "envelope.idempotency.refusals-not-stored": {
    states: "A rejected request has no effect and leaves its key free.",
    source: "decision",
  },
  "envelope.idempotency.workspace": {
    states: "Idempotency keys belong to the workspace.",
    source: "decision",
  },
  "envelope.idempotency.person": {
    states: "A stored response, which may contain a secret, is returned to its own person only; for others it is 409.",
    source: "goal",
  },
  "envelope.idempotency.key-form": {
    states: "An Idempotency-Key that is not 1 to 255 printable characters is 400.",
    source: "decision",
  },
  "envelope.idempotency.lock-named": {
    states: "A request with a key that waits too long for another record is 503, not 409.",
    source: "goal",
  },
  "envelope.idempotency.sealed": {
    states: "Stored responses are encrypted, because they may contain a secret that is shown once.",
    source: "goal",
  },
  "envelope.text-search": {
    states:
      "`q` finds schedules, triggers, routes, webhook subscriptions, custom tools, keys and members by a part of the name.",
    source: "goal",
  },
} as const satisfies Requirements<"envelope">;
