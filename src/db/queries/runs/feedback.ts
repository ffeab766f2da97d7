import type { FeedbackRecord } from "#domain/runs/feedback.ts";
import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const RECORD = `f.id, f.run_id, f.attempt, f.message_id, f.rating, f.note, f.correction,
  json_build_object('id', u.id, 'name', u.name) as by, f.via,
  iso(f.created_at) as created_at, iso(f.updated_at) as updated_at`;

const SAVE = statement({
  name: "save-feedback",
  text: `
    with f as (
      insert into feedback (id, workspace_id, run_id, attempt, message_id, user_id, via, rating, note, correction)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      on conflict (run_id, attempt, message_id, user_id) do update
        set via = excluded.via, rating = excluded.rating, note = excluded.note, correction = excluded.correction,
          updated_at = now()
      returning *
    )
    select ${RECORD} from f join users u on u.id = f.user_id`,
});

/** A piece of feedback to store. */
export interface NewFeedback extends Pick<
  FeedbackRecord,
  "id" | "run_id" | "attempt" | "message_id" | "rating" | "note" | "correction" | "via"
> {
  readonly workspaceId: string;
  readonly userId: string;
}

/** Stores it, in place of what the person had said of the same before. */
export async function saveFeedback(tx: Transaction, given: NewFeedback): Promise<FeedbackRecord> {
  const { id, workspaceId, run_id: run, attempt, message_id: message, userId, via, rating, note, correction } = given;
  const values = [id, workspaceId, run, attempt, message, userId, via, rating, note, correction];
  const [row] = await tx.query<FeedbackRecord>(SAVE, values);
  if (row === undefined) throw new Error("An insert gives one row.");
  return row;
}

const LIST = statement({
  name: "list-feedback",
  text: `
    select ${RECORD} from feedback f join users u on u.id = f.user_id
    where f.run_id = $1 order by f.created_at, f.id`,
});

/** What was said of a run and its messages, the oldest first. */
export function readFeedback(tx: Transaction, runId: string): Promise<FeedbackRecord[]> {
  return tx.query<FeedbackRecord>(LIST, [runId]);
}

const DELETE = statement({
  name: "delete-feedback",
  text: `delete from feedback where id = $1 and run_id = $2 and ($3::uuid is null or user_id = $3) returning id`,
});

/** Deletes one piece. @param by only if it is this person's; null for anybody's. @returns whether there was one */
export async function deleteFeedback(tx: Transaction, id: string, runId: string, by: string | null): Promise<boolean> {
  return (await tx.query<{ readonly id: string }>(DELETE, [id, runId, by])).length > 0;
}
