import { Link } from "@tanstack/react-router";
import { deleteFile } from "#client/gen/operations/files.ts";
import { call } from "../../api/client.ts";
import { useChanged } from "../../api/use-changed.ts";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { bytes } from "../../lib/format.ts";
import { buttonClass } from "../../ui/button.tsx";
import { DownloadIcon } from "../../ui/icons.ts";
import { RemoveButton } from "../../ui/removal.tsx";
import { RecordSheet } from "../../ui/record-sheet.tsx";
import { Time } from "../../ui/time.tsx";
import { FactList, FactRow, IdFact } from "../../ui/fact-list.tsx";
import { Preview } from "./preview.tsx";
import { localPath, useFile } from "./queries.ts";
import type { StoredFile } from "./queries.ts";

/** One file beside the list: its preview, its run and its actions. */
export function FileSheet({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  return (
    <RecordSheet query={useFile(id)} title={(file) => file?.name ?? "File"} onClose={onClose}>
      {(file) => <Content file={file} onDeleted={onClose} />}
    </RecordSheet>
  );
}

function Content({ file, onDeleted }: { readonly file: StoredFile; readonly onDeleted: () => void }) {
  const { type, size, direction, created_at: at, id } = file;
  return (
    <div className="flex flex-col gap-4">
      <Preview file={file} />
      <FactList>
        <FactRow name="Type">
          {type}, {bytes(size)}
        </FactRow>
        <FactRow name="Direction">{direction === "input" ? "Given to work" : "Came out of work"}</FactRow>
        <FactRow name="Run">
          <RunOf file={file} />
        </FactRow>
        <FactRow name="Added">
          <Time at={at} />
        </FactRow>
        <IdFact name="Id" id={id} />
      </FactList>
      <Actions file={file} onDeleted={onDeleted} />
    </div>
  );
}

/** The run that a file belongs to, or that it has none. */
export function RunOf({ file }: { readonly file: Pick<StoredFile, "task_id" | "run_id" | "work_title"> }) {
  const { slug } = useWorkspace();
  const run = file.task_id ?? file.run_id;
  if (run === null) return <span className="text-ink-3">Not used yet</span>;
  return (
    <Link
      to="/w/$workspace/runs/$id"
      params={{ workspace: slug, id: run }}
      dir="auto"
      className="relative z-1 block truncate text-accent hover:underline"
    >
      {file.work_title ?? "Run"}
    </Link>
  );
}

function Actions({ file, onDeleted }: { readonly file: StoredFile; readonly onDeleted: () => void }) {
  const changed = useChanged("files");
  async function remove(): Promise<void> {
    await call(deleteFile)({ id: file.id });
    onDeleted();
    await changed();
  }
  return (
    <div className="flex gap-2 border-t border-line pt-4">
      <a href={localPath(file.url)} download={file.name} className={buttonClass()}>
        <DownloadIcon className="-ms-0.5" />
        Download
      </a>
      <RemoveButton
        blockedBy={useBlockedBy("member")}
        removal={{
          title: `Delete the file "${file.name}"?`,
          action: "Delete file",
          effect: "Its content goes with it. The run that it belongs to stays.",
          remove,
        }}
      />
    </div>
  );
}
