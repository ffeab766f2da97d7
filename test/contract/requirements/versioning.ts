import type { Requirements } from "./requirement.ts";

/** Versions of the answer's format and how a caller chooses one. */
export const versioning = {
  "versioning.v2.envelope": {
    states: "With X-API-Version: 2 a response is an object with data and meta.",
    source: "contract",
  },
  "versioning.v2.meta": {
    states: "meta contains api_version 2, request_id and timestamp.",
    source: "contract",
  },
  "versioning.v1.default-raw": {
    states: "Without the header a success is the raw data without an envelope.",
    source: "contract",
  },
  "versioning.v1.explicit": {
    states: "X-API-Version: 1 is the same as no header.",
    source: "decision",
  },
  "versioning.other-400": { states: "Any other value of the header is 400.", source: "decision" },
  "versioning.errors-same-in-both": {
    states: "Errors have the same body in both versions.",
    source: "decision",
  },
} as const satisfies Requirements<"versioning">;
