import type { Requirements } from "./requirement.ts";

/** The error body of the envelope API and its codes. */
export const errors = {
  "errors.body.shape": {
    states:
      "An error is an object with error, holding code and message, and meta, holding api_version, request_id and timestamp.",
    source: "contract",
  },
  "errors.body.details": {
    states: "Validation errors add details: every fault with its path and a message.",
    source: "decision",
  },
  "errors.body.json": {
    states: "A body that is not JSON is rejected with what is wrong, its line and its column.",
    source: "goal",
  },
  "errors.body.json.no-echo": {
    states: "The error of a body that is not JSON repeats nothing of the body, and nor does the log.",
    source: "goal",
  },
  "errors.bad-request": {
    states: "An invalid body or parameter is 400 bad_request.",
    source: "contract",
  },
  "errors.unauthorized": {
    states: "Missing or invalid authentication is 401 unauthorized.",
    source: "contract",
  },
  "errors.forbidden": {
    states: "A key without the scope, or a role too low, is 403 forbidden.",
    source: "decision",
  },
  "errors.not-found": {
    states: "A resource that is not there is 404 not_found.",
    source: "contract",
  },
  "errors.method-not-allowed": {
    states: "A method that a path does not support is 405 method_not_allowed.",
    source: "contract",
  },
  "errors.method-not-allowed.allow-header": {
    states: "A 405 names the supported methods in Allow.",
    source: "decision",
  },
  "errors.conflict": { states: "An illegal change of state is 409 conflict.", source: "decision" },
  "errors.payload-too-large": {
    states: "A body above the limit is 413 payload_too_large.",
    source: "decision",
  },
  "errors.rate-limit-exceeded": {
    states: "Too many requests are 429 rate_limit_exceeded with Retry-After.",
    source: "contract",
  },
  "errors.internal-error": {
    states: "A fault of the server is 500 internal_error.",
    source: "contract",
  },
  "errors.internal-error.no-leak": {
    states: "A 500 shows none of its cause: no SQL, no stack, no secret.",
    source: "goal",
  },
  "errors.bad-input-never-500": {
    states: "No input, however wrong, makes an endpoint answer 500.",
    source: "goal",
  },
} as const satisfies Requirements<"errors">;
