import type { components } from "#client/gen/schema.ts";

/** A task, or a team run that was started without one, in the list of all work. */
export type RunRow = components["schemas"]["RunRow"];
