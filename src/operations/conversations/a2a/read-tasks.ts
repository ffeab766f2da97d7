import { z } from "zod";
import { givenTime } from "#domain/given-time.ts";
import { AppError, orNotFound } from "#domain/errors.ts";
import { listConversationTasks, readConversationTask } from "#db/queries/conversations/a2a/tasks.ts";
import type { ListPlace, TaskQuery } from "#db/queries/conversations/a2a/tasks.ts";
import { isUuid } from "#lib/ids.ts";
import type { ConversationTask } from "#domain/tasks/conversation-task.ts";
import type { Workspace } from "../../workspace.ts";

const DEFAULT_PAGE = 50;
/**
 * Reads a task with its messages.
 * @throws AppError `not_found` when the workspace, or the named agent, has no such task.
 */
export async function getConversationTask(
  workspace: Workspace,
  { taskId, agentId }: { readonly taskId: string; readonly agentId?: string | undefined },
): Promise<ConversationTask> {
  const areIds = isUuid(taskId) && (agentId === undefined || isUuid(agentId));
  return orNotFound("Task")(areIds ? await readConversationTask(workspace, { taskId, agentId }) : undefined);
}

/** The page of an agent's tasks to read. */
export interface ListRequest extends TaskQuery {
  readonly pageSize?: number | undefined;
  /** The `nextPageToken` of the previous page; empty for the first. */
  readonly pageToken?: string | undefined;
}

/** A page of an agent's tasks, the most recently changed first. */
export interface TaskPage {
  readonly tasks: readonly ConversationTask[];
  /** Empty on the last page. */
  readonly nextPageToken: string;
  /** The number of tasks on this page. */
  readonly pageSize: number;
  readonly totalSize: number;
}

/** Lists an agent's tasks. @throws AppError `bad_request` for a page token of another list. */
export async function listTasks(workspace: Workspace, request: ListRequest): Promise<TaskPage> {
  const { pageSize = DEFAULT_PAGE, pageToken = "", ...query } = request;
  const after = pageToken === "" ? undefined : placeOf(pageToken);
  if (!isUuid(query.agentId)) return { tasks: [], nextPageToken: "", pageSize: 0, totalSize: 0 };
  const { tasks, total } = await listConversationTasks(workspace, { ...query, after, limit: pageSize + 1 });
  const page = tasks.slice(0, pageSize);
  const last = tasks.length > pageSize ? page.at(-1) : undefined;
  const nextPageToken = last === undefined ? "" : tokenOf(last);
  return { tasks: page, nextPageToken, pageSize: page.length, totalSize: total };
}

const place = z.tuple([givenTime, z.uuid()]);

function tokenOf({ status_at, id }: ConversationTask): string {
  return Buffer.from(JSON.stringify([status_at, id])).toString("base64url");
}

function placeOf(token: string): ListPlace {
  try {
    const [statusAt, id] = place.parse(JSON.parse(Buffer.from(token, "base64url").toString()));
    return { statusAt, id };
  } catch (error) {
    throw new AppError("bad_request", "pageToken must be the nextPageToken of an earlier page.", { cause: error });
  }
}
