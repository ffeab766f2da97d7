import type { RunSource } from "#domain/runs/run-source.ts";
import type { JobTransaction } from "#db/queries/queue/jobs.ts";
import { openLog } from "#db/queries/streams/log-heads.ts";
import { insertTask } from "#db/queries/tasks/tasks.ts";
import { newId } from "#lib/ids.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { startTeamOn } from "../runs/dispatch.ts";
import type { Author } from "../runs/dispatch.ts";

/** A task that a schedule or a trigger creates, not a person. */
export interface CreatedTask {
  readonly id: string;
  readonly agentId: string | null;
  readonly teamId: string | null;
  readonly title: string;
  readonly description: string;
  readonly priority: string;
  /** JSON. */
  readonly metadata: string;
  /** The due time for which it was created, in ISO 8601. */
  readonly scheduledFor: string | null;
  readonly source: RunSource;
}

/** Creates a task and dispatches it to its agent or team. */
export async function insertDispatched(tx: JobTransaction, author: Author, task: CreatedTask): Promise<void> {
  const { id, agentId, teamId, title, description, priority, metadata, scheduledFor, source } = task;
  const teamRunId = teamId === null ? null : newId();
  await allSettledOrThrow([
    insertTask(tx, {
      id,
      workspace_id: author.workspaceId,
      title,
      description,
      priority,
      status: "dispatched",
      assigned_agent_id: agentId,
      assigned_team_id: teamId,
      team_run_id: teamRunId,
      metadata,
      scheduled_for: scheduledFor,
      created_by: author.userId,
      source,
      trace: tx.trace(id),
    }),
    openLog(tx, id),
    teamId === null || teamRunId === null
      ? tx.enqueue("task", id)
      : startTeamOn(tx, author, { id, title, description, attempt: 1, teamId, teamRunId }),
  ]);
}
