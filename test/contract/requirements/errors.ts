import type { Requirements } from "./requirement.ts";

/** The error body of the envelope API and its codes. */
export const errors = {
  "errors.body.shape": {
    states:
      "An error is an object with error, containing code and message, and meta, containing api_version, request_id and timestamp.",
    source: "contract",
  },
  "errors.body.details": {
    states: "Validation errors add details: every issue with its path and a message.",
    source: "decision",
  },
  "errors.body.json": {
    states: "A body that is not JSON is rejected with the problem, its line and its column.",
    source: "goal",
  },
  "errors.body.json.no-echo": {
    states: "Neither the error of a body that is not JSON nor the log repeats any of the body.",
    source: "goal",
  },
  "errors.body.utf-8": {
    states: "A body that is not UTF-8, or that is compressed, is 400, so that no text is stored garbled.",
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
    states: "A key without the scope, or a role without the right, is 403 forbidden.",
    source: "decision",
  },
  "errors.not-found": {
    states: "An unknown resource is 404 not_found.",
    source: "contract",
  },
  "errors.method-not-allowed": {
    states: "A method that a path does not support is 405 method_not_allowed.",
    source: "contract",
  },
  "errors.method-not-allowed.allow-header": {
    states: "A 405 lists the supported methods in Allow.",
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
    states: "An error of the server is 500 internal_error.",
    source: "contract",
  },
  "errors.internal-error.no-leak": {
    states: "A 500 reveals nothing of its cause: no SQL, no stack, no secret.",
    source: "goal",
  },
  "errors.bad-input-never-500": {
    states: "No invalid input makes an endpoint return 500.",
    source: "goal",
  },
} as const satisfies Requirements<"errors">;
