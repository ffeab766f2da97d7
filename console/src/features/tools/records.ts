import type { components } from "#client/gen/schema.ts";

/** A tool that the service has itself. */
export type BuiltInTool = components["schemas"]["BuiltInTool"];

/** An HTTP endpoint of the workspace that agents can call. */
export type CustomTool = components["schemas"]["CustomTool"];

/** One call of a custom tool. */
export type CustomToolCall = components["schemas"]["CustomToolCall"];
