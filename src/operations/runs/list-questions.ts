import { notFound } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import { questionsCursor } from "#domain/tasks/question-list.ts";
import type { QuestionsQuery } from "#domain/tasks/question-list.ts";
import * as rows from "#db/queries/runs/question-list.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import { readCursor, writeCursor } from "../list-cursor.ts";
import type { Workspace } from "../workspace.ts";

/** Reads one question, open or closed, as JSON. @throws AppError `not_found`. */
export async function getQuestion(workspace: Workspace, id: string): Promise<JsonText> {
  const question = await rows.readQuestionRecord(workspace, id);
  if (question === undefined) throw notFound("Question");
  return question;
}

/**
 * Lists the workspace's questions, of tasks and team runs.
 * @throws AppError `bad_request` for a cursor of another list or state.
 */
export async function listQuestions(
  workspace: Workspace,
  query: QuestionsQuery,
): Promise<{ readonly items: JsonText; readonly nextCursor: string | null }> {
  const { state, cursor } = query;
  const after = cursor === undefined ? undefined : readCursor(cursor, questionsCursor);
  if (cursor !== undefined && after?.state !== state) {
    throw invalid("query", [{ path: "cursor", message: `must be the next_cursor of this list with state=${state}` }]);
  }
  const { items, last } = await rows.listQuestions(workspace, { ...query, after });
  return { items, nextCursor: last === null ? null : writeCursor(questionsCursor, { state, ...last }) };
}
