import type { Database, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";

/** A finished call of a custom tool. */
export interface CustomToolCall {
  readonly id: string;
  readonly toolId: string;
  /** The task or team run of the call; null for a person's test. */
  readonly subjectId: string | null;
  /** The endpoint's HTTP status; null without a response. */
  readonly httpStatus: number | null;
  readonly durationMs: number;
  /** The error; null on success. */
  readonly error: string | null;
}

const RECORD = statement({
  name: "record-custom-tool-call",
  text: `
    insert into custom_tool_calls (id, workspace_id, tool_id, task_id, http_status, duration_ms, error)
    select $1, $2, t.id, $4, $5, $6, $7 from custom_tools t where t.id = $3
    on conflict (id) do nothing`,
});

/** Logs a call; safe to repeat, and does nothing when the tool was deleted during the call. */
export async function recordCustomToolCall(db: WorkspaceDatabase, call: CustomToolCall): Promise<void> {
  await db.query(RECORD, [
    call.id,
    db.who.workspaceId,
    call.toolId,
    call.subjectId,
    call.httpStatus,
    call.durationMs,
    call.error,
  ]);
}

const DELETE_OLD = statement({
  name: "delete-old-custom-tool-calls",
  text: `
    delete from custom_tool_calls c using (
      select id from custom_tool_calls where created_at < $1 order by created_at limit $2
    ) old
    where c.id = old.id
    returning c.id`,
});

/** Deletes up to `limit` calls older than a time; returns the number. */
export async function deleteOldCustomToolCalls(db: Database, before: Date, limit: number): Promise<number> {
  return (await db.query(DELETE_OLD, [before, limit])).length;
}
