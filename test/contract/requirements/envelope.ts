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
    states: "OPTIONS is answered 204 and allows every header that clients of the API send.",
    source: "decision",
  },
  "envelope.cors.exposed-headers": {
    states: "Browsers may read the rate headers and X-Request-Id.",
    source: "decision",
  },
  "envelope.id.in-query": {
    states: "The resource is named by the query parameter id.",
    source: "contract",
  },
  "envelope.id.missing-400": {
    states: "PATCH and DELETE without an id are 400 on every resource.",
    source: "decision",
  },
  "envelope.id.malformed-400": {
    states: "An id that is no UUID is 400 on every resource and method.",
    source: "decision",
  },
  "envelope.id.unknown-404": {
    states: "An id that nobody has is 404 on GET, PATCH and DELETE of every resource.",
    source: "decision",
  },
  "envelope.id.foreign-looks-unknown": {
    states: "Another workspace's id gets the very answer of an unknown one on every method, and nothing of it changes.",
    source: "decision",
  },
  "envelope.body.read-only-ignored": {
    states:
      "Read-only fields that came with a record that was read before, such as id, workspace_id and timestamps, are ignored.",
    source: "decision",
  },
  "envelope.body.nothing-half-written": {
    states: "A rejected write changes nothing and starts no work.",
    source: "goal",
  },
  "envelope.body.json": { states: "Bodies are JSON in both directions.", source: "contract" },
  "envelope.body.malformed-400": {
    states: "A body that is no JSON is 400, never 500.",
    source: "contract",
  },
  "envelope.body.not-an-object-400": {
    states: "A body that is JSON but not an object is 400.",
    source: "decision",
  },
  "envelope.body.any-is-answered": {
    states: "No JSON body, whatever is in it, makes an operation of the envelope API fail with 500.",
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
    states: "X-Request-Id on every answer is the request_id of its body.",
    source: "decision",
  },
  "envelope.request-id.log": {
    states: "The log line of a request carries the same request_id.",
    source: "decision",
  },
  "envelope.unknown-path-404": {
    states: "A path that does not exist is 404 in the same error body.",
    source: "contract",
  },
  "envelope.openapi.valid": {
    states: "The OpenAPI 3.1 document at /openapi.json is valid.",
    source: "goal",
  },
  "envelope.openapi.describes-answers": {
    states: "Real answers match the schemas of the OpenAPI document.",
    source: "goal",
  },
  "envelope.idempotency.replay": {
    states: "A POST repeated with the same Idempotency-Key and body within 24 hours gets the stored answer.",
    source: "decision",
  },
  "envelope.idempotency.replay-header": {
    states: "A stored answer is marked by the header Idempotent-Replayed: true.",
    source: "decision",
  },
  "envelope.idempotency.other-body-409": {
    states: "The same key with another body is 409 with the code conflict.",
    source: "decision",
  },
  "envelope.idempotency.every-post": {
    states: "Every POST of the envelope API, of the console API and of files understands the header.",
    source: "decision",
  },
  "envelope.idempotency.across-processes": {
    states:
      "Of requests with one key at the same time, at several processes too, one is executed and all get its answer.",
    source: "goal",
  },
  "envelope.idempotency.kill": {
    states:
      "A process that is killed in the middle of a request neither blocks its repetition nor lets it be executed twice.",
    source: "goal",
  },
  "envelope.idempotency.refusals-not-stored": {
    states: "A rejected request does nothing and leaves its key free.",
    source: "decision",
  },
  "envelope.idempotency.workspace": {
    states: "Idempotency keys belong to the workspace.",
    source: "decision",
  },
  "envelope.idempotency.key-form": {
    states: "An Idempotency-Key that is not 1 to 255 printable characters is 400.",
    source: "decision",
  },
  "envelope.idempotency.lock-named": {
    states: "A keyed request that waits too long for another record than its key is answered 503, not 409.",
    source: "goal",
  },
  "envelope.idempotency.sealed": {
    states: "Stored answers are encrypted: they may show a secret that is shown once.",
    source: "goal",
  },
} as const satisfies Requirements<"envelope">;
