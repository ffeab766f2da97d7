import type { components } from "#client/gen/schema.ts";

/** An agent as the API shows it. */
export type Agent = components["schemas"]["Agent"];

/** One of its versions, without its fields. */
export type AgentVersion = components["schemas"]["AgentVersion"];
