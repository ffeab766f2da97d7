import type { Requirements } from "./requirement.ts";

/** The identity of a credential. */
export const me = {
  "me.fields": {
    states: "GET returns id, email, name, workspace_id, workspace_name, plan and api_version.",
    source: "contract",
  },
  "me.key-owner": {
    states: "With an API key the identity is the key's creator.",
    source: "decision",
  },
  "me.plan-values": {
    states: "plan is free, pro, team or enterprise in lower case.",
    source: "decision",
  },
  "me.api-version": {
    states: "api_version is an integer: the version of the response format.",
    source: "contract",
  },
} as const satisfies Requirements<"me">;
