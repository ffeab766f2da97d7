import type { Transaction } from "#db/database.ts";
import { insertMessage } from "#db/queries/conversations/a2a/messages.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import type { AcceptMessage, Accepted } from "../../runs/accept-message.ts";
import { checkPushTarget, storePushConfig } from "./push-configs.ts";
import type { NewPushConfig } from "#domain/destinations/push-config.ts";
import type { Workspace } from "../../workspace.ts";

/** The parts of a message that are stored next to its effect. */
export interface Acceptance {
  /** The client's id of the message; undefined: its repetition cannot be recognized. */
  readonly messageId: string | undefined;
  /** Where the client wants to be notified of the task. */
  readonly push: NewPushConfig | undefined;
}

/**
 * Returns the writes that belong to a message's transaction: its id, and its push configuration. They return false when
 * the task has accepted the message before; it must then have no effect.
 * @throws AppError `bad_request` for a push URL that is not allowed.
 */
export function createAcceptance(workspace: Workspace, { messageId, push }: Acceptance): AcceptMessage {
  const { workspaceId } = workspace.who;
  if (push !== undefined) checkPushTarget(workspace, push.url);
  const record = async (tx: Transaction, accepted: Accepted) =>
    messageId === undefined || insertMessage(tx, { workspaceId, messageId, ...accepted });
  const store = async (tx: Transaction, taskId: string, task: "new" | "existing") =>
    push === undefined ? undefined : storePushConfig(workspace, { tx, taskId, config: push, task });
  return async (tx, accepted) => {
    const { taskId, effect } = accepted;
    if (effect === "start") {
      // The statements of a new task do not wait for each other.
      await allSettledOrThrow([record(tx, accepted), store(tx, taskId, "new")]);
      return true;
    }
    if (!(await record(tx, accepted))) return false;
    await store(tx, taskId, "existing");
    return true;
  };
}
