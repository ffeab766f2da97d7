import { MusterError } from "#client/index.ts";
import type { MusterClient } from "#client/index.ts";
import { DEFAULT_RESOURCES } from "#domain/resources/resource.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { compareFolder } from "../resources/ask-service.ts";
import { FilesError } from "../resources/mistake.ts";
import { readFolder } from "../resources/read-folder.ts";
import type { Folder } from "../resources/read-folder.ts";
import { writeFolder } from "../resources/write-folder.ts";
import { safeText } from "../terminal/safe-text.ts";

/** `muster pull` */
export default defineRequest({
  summary: "Write the workspace to a folder of YAML files, without ids and secrets",
  examples: ["pull ws", "pull ws --prune"],
  args: {
    folder: { type: "positional", description: "The folder; what its muster.yaml lists is pulled, by default all" },
    prune: { type: "boolean", description: "Delete files whose records the workspace does not have" },
  },
  async send({ muster }, { folder: root, prune = false }) {
    const before = await readFolder(root);
    const pulled = await muster.pullWorkspace({ resources: [...(before?.resources ?? DEFAULT_RESOURCES)] });
    return writeFolder(root, { pulled, before, current: await currentFiles(muster, before), prune });
  },
  print({ out }, { written, kept, stale }, { folder: root, prune }) {
    for (const file of written) out.line(safeText(`Wrote ${root}/${file}`));
    if (kept > 0) out.line(`${kept === 1 ? "1 file" : `${kept} files`} stayed as they were`);
    for (const file of stale) {
      out.line(safeText(prune ? `Deleted ${root}/${file}` : `${root}/${file} has no record; --prune deletes it`));
    }
  },
});

/** The files that say what the workspace has, in whatever words. */
async function currentFiles(muster: MusterClient, before: Folder | undefined): Promise<ReadonlySet<string>> {
  if (before === undefined) return new Set();
  try {
    const { plan } = await compareFolder(muster, before, () => undefined);
    const changed = new Set(plan.changes.map(({ document }) => document));
    return new Set(before.files.flatMap(({ file }, index) => (changed.has(index) ? [] : [file])));
  } catch (error) {
    // Files with mistakes are written again.
    if (error instanceof FilesError || error instanceof MusterError) return new Set();
    throw error;
  }
}
