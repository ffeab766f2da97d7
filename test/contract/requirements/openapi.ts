import type { Requirements } from "./requirement.ts";

/** What the OpenAPI document promises to the authors of clients. */
export const openapi = {
  "openapi.operation-ids": {
    states: "Every operation has a unique operationId: a verb and a noun.",
    source: "goal",
  },
  "openapi.tags": { states: "Every operation is in one described group.", source: "goal" },
  "openapi.committed": { states: "openapi.json in the repository equals the served document.", source: "goal" },
  "openapi.bodies": { states: "Bodies have names and valid examples.", source: "goal" },
  "openapi.one-version": {
    states: "?api_version=1 and =2 restrict the document to one version of the responses.",
    source: "goal",
  },
  "openapi.headers": {
    states: "The document describes the headers of versions, idempotency, paging, rate limits and request ids.",
    source: "goal",
  },
  "openapi.streams": {
    states: "The document describes each type of event of /ag-ui streams and of message of /console/api/live.",
    source: "goal",
  },
  "openapi.response-examples": {
    states: "Responses have recorded examples that match their schemas, in both versions.",
    source: "goal",
  },
  "openapi.response-examples.recorded": {
    states: "Recorded examples have the fields of the service's responses.",
    source: "goal",
  },
  "openapi.statuses": {
    states: "The statuses and media types of the table API and of pages for people are declared.",
    source: "goal",
  },
  "openapi.generators": {
    states:
      "openapi-typescript, Hey API, orval, swagger-typescript-api, openapi-zod-client and Kubb generate clients that compile and work.",
    source: "goal",
  },
  "openapi.linters": { states: "redocly and spectral report no problems in the document.", source: "goal" },
} as const satisfies Requirements<"openapi">;
