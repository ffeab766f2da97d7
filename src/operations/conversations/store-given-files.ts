import { findOwnFile } from "#db/queries/files/files.ts";
import type { NewFile } from "#db/queries/files/files.ts";
import { invalid } from "#domain/invalid.ts";
import type { GivenFile } from "#protocols/openai/content.ts";
import type { GivenMessage } from "#protocols/openai/items.ts";
import type { ConversationMessage } from "#domain/tasks/run-job.ts";
import { isUuid } from "#lib/ids.ts";
import { copyFile } from "../files/copy-files.ts";
import { storeSent } from "../files/linked-files.ts";
import type { Workspace } from "../workspace.ts";

/** Messages that name their files, whose rows are not inserted yet. */
export interface StoredMessages {
  readonly messages: readonly ConversationMessage[];
  readonly files: readonly NewFile[];
}

/**
 * Stores the files of a conversation; uploads are copied, so that a conversation can be sent again. Not for use inside a
 * transaction.
 * @throws AppError `bad_request` for an upload that the workspace does not have; as {@link storeSent}.
 */
export async function storeGivenFiles(workspace: Workspace, given: readonly GivenMessage[]): Promise<StoredMessages> {
  const files: NewFile[] = [];
  const messages: ConversationMessage[] = [];
  for (const { files: own = [], ...message } of given) {
    const ids: string[] = [];
    for (const file of own) {
      const stored = await storeFile(workspace, file);
      files.push(stored);
      ids.push(stored.id);
    }
    messages.push(ids.length === 0 ? message : { ...message, attachments: ids });
  }
  return { messages, files };
}

async function storeFile(workspace: Workspace, given: GivenFile): Promise<NewFile> {
  if (!("fileId" in given)) return storeSent(workspace, given);
  const { fileId } = given;
  const found = isUuid(fileId) ? await findOwnFile(workspace, fileId) : undefined;
  if (found === undefined) throw invalid("body", [{ path: "file_id", message: `there is no file ${fileId}` }]);
  return copyFile(workspace, found);
}
