import { createHash } from "node:crypto";
import type { ToolCall } from "#domain/models/reply-parts.ts";
import type { Run } from "./run-context.ts";

const NAME = /^[\x21-\x7e]{1,200}$/;

/** Some models restart the numbering of tool calls in every turn; within a run, ids must be unique. */
export function claimId(id: string, taken: Set<string>): string {
  let unique = id;
  for (let copy = 2; taken.has(unique); copy++) unique = `${id}_${copy}`;
  taken.add(unique);
  return unique;
}

/**
 * The id of a tool call in steps, events and for the tool: the model's id if it fits into a key and a header. Some
 * providers use ids of thousands of characters and expect them back unchanged.
 */
export function nameOf(id: string): string {
  return NAME.test(id) ? id : `call_${createHash("sha256").update(id).digest("hex")}`;
}

/** Names a tool call among all calls of all runs, the same in every execution. */
export function idempotencyKeyOf({ job, key, turnKey }: Run, { id }: Pick<ToolCall, "id">): string {
  return [key.subjectId, job.attempt, turnKey, id].filter((part) => part !== undefined).join(":");
}
