import { statement } from "../../statement.ts";
import type { WorkspaceDatabase } from "../../database.ts";

const FIND = statement({
  name: "find-result-file",
  text: `
    select f.blob_key as "blobKey" from files f
    where f.id = $1 and f.direction = 'output' and exists (
      select from run_steps s
      where s.run_id = any($2::uuid[]) and s.result->>'stored' = f.id::text
    )`,
});

/** Finds a stored result that a recorded tool call of these runs has; of a fork also one that the other run has stored. */
export async function findResultFile(
  db: WorkspaceDatabase,
  { id, runIds }: { readonly id: string; readonly runIds: readonly string[] },
): Promise<{ readonly blobKey: string } | undefined> {
  const [file] = await db.query<{ blobKey: string }>(FIND, [id, runIds]);
  return file;
}
