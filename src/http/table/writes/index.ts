import { agentsWriter } from "./agents.ts";
import { rowsWriter } from "./rows.ts";
import { tasksWriter } from "./tasks.ts";
import type { Writer } from "./writer.ts";

/** Who writes which table; the others are only read. */
export const WRITERS: ReadonlyMap<string, Writer> = new Map([
  ["agents", agentsWriter],
  ["tasks", tasksWriter],
  ["voice_profiles", rowsWriter("voice_profiles")],
  ["output_templates", rowsWriter("output_templates")],
]);
