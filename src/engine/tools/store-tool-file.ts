import { createHash } from "node:crypto";
import { insertToolFile } from "#db/queries/files/files.ts";
import { AppError } from "#domain/errors.ts";
import { safeName, typeOfUpload } from "#domain/files/file.ts";
import { nameOfType } from "#domain/files/media-type.ts";
import { serviceIn } from "#domain/access/role.ts";
import { newId } from "#lib/ids.ts";
import { sniffType } from "#lib/blobs/sniff-type.ts";
import type { FileOfTool, StoredToolFile } from "#tools/define-tool.ts";
import { storeContent } from "../run/file-contents.ts";
import type { EngineServices, Run } from "../run/run-context.ts";

/**
 * Stores a file returned by a tool as an output of the task or team run. A repeated call stores the same file in place
 * of the first, so a crash leaves no second one.
 * @param name names the file among those of all calls of the attempt
 * @throws AppError for a type that is not allowed; BlobStoreError when the store stays unavailable
 */
export async function storeToolFile(
  engine: EngineServices,
  run: Run,
  { name, file }: { readonly name: string; readonly file: FileOfTool },
): Promise<StoredToolFile> {
  const { workspaceId, attempt } = run.job;
  const { task_id: taskId, team_run_id: runId } = run.chargedTo;
  const given = safeName(file.name ?? nameOfType(file.mediaType));
  const sniffed = await sniffType(file.data);
  if (file.data.length === 0) throw new AppError("bad_request", "The file is empty.");
  const type = typeOfUpload({ name: given, declared: file.mediaType.toLowerCase(), sniffed });
  const blobKey = `files/${workspaceId}/${newId()}`;
  const stored = { id: idOf(name), name: given, type, blobKey };
  await storeContent(engine, { key: blobKey, content: file.data, mediaType: type }, run.signal);
  await engine.db.inWorkspace(serviceIn(workspaceId)).transaction((tx) =>
    insertToolFile(tx, {
      ...stored,
      workspaceId,
      attempt,
      size: file.data.length,
      taskId,
      runId: taskId === null ? runId : null,
    }),
  );
  return stored;
}

/** A UUID of version 8 (https://www.rfc-editor.org/rfc/rfc9562#name-uuid-version-8) derived from a name. */
function idOf(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
