import type { Requirements } from "./requirement.ts";

/** What the OpenAPI document tells the authors of clients. */
export const openapi = {
  "openapi.operation-ids": {
    states: "Every operation has an operationId of its own: a verb and a noun.",
    source: "goal",
  },
  "openapi.tags": { states: "Every operation is in one described group.", source: "goal" },
} as const satisfies Requirements<"openapi">;
