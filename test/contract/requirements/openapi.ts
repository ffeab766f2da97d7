import type { Requirements } from "./requirement.ts";

/** What the OpenAPI document promises to the authors of clients. */
export const openapi = {
  "openapi.operation-ids": {
    states: "Every operation has an operationId of its own: a verb and a noun.",
    source: "goal",
  },
  "openapi.tags": { states: "Every operation is in one described group.", source: "goal" },
  "openapi.committed": { states: "openapi.json in the repository is the document that is served.", source: "goal" },
  "openapi.bodies": { states: "Bodies have names, and examples that fit them.", source: "goal" },
  "openapi.one-version": {
    states: "?api_version=1 and =2 narrow the document to one version of the answers.",
    source: "goal",
  },
  "openapi.headers": {
    states: "The document names the headers of versions, idempotency, paging, rate limits and request ids.",
    source: "goal",
  },
  "openapi.streams": {
    states: "The events of /ag-ui streams and the messages of /console/api/live are described, each type by itself.",
    source: "goal",
  },
  "openapi.response-examples": {
    states: "Answers have examples that a service has given and that fit their schemas, in both versions.",
    source: "goal",
  },
  "openapi.response-examples.recorded": {
    states: "Recorded examples have the fields that the service answers with.",
    source: "goal",
  },
  "openapi.linters": { states: "redocly and spectral find nothing in the document.", source: "goal" },
} as const satisfies Requirements<"openapi">;
