import { useSearch } from "@tanstack/react-router";
import { uploadFile } from "#client/gen/operations/files.ts";
import { call } from "../api/client.ts";
import { useBlockedBy } from "../api/use-session.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { FileSheet } from "../features/files/file-sheet.tsx";
import { FILE_COLUMNS } from "../features/files/file-columns.tsx";
import { filesPath, useFiles } from "../features/files/queries.ts";
import { DIRECTIONS, FILE_KINDS, isFiltered, readFilesSearch } from "../features/files/search.ts";
import type { FilesSearch } from "../features/files/search.ts";
import { UploadList } from "../features/files/upload-list.tsx";
import { useUploads } from "../features/files/use-uploads.ts";
import { useLive } from "../features/live/live-context.tsx";
import { capitalized } from "../lib/format.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialog.tsx";
import { ClearFilters, FilterBar, FilterChoice, TextFilter } from "../ui/filters.tsx";
import { Page } from "../ui/page.tsx";
import { OpenLink } from "../ui/open-link.tsx";
import { RecordList } from "../ui/record-list.tsx";
import { Empty } from "../ui/states.tsx";
import { usePageNavigate } from "../lib/use-page-navigate.ts";

const ACCEPTED =
  "Text, Markdown, CSV, HTML, JSON, XML, YAML, PDF, DOCX and images, up to 10 MiB each. One that no run uses is deleted after a day.";
const KIND_LABELS = { image: "Images", text: "Text", json: "JSON", pdf: "PDF", word: "Word" } as const;

const ADD = { add: "files" };

/** All files that were given to work, or came out of it. */
export function FilesPage() {
  const search = readFilesSearch(useSearch({ from: "/w/$workspace/files" }));
  const navigate = usePageNavigate({ from: "/w/$workspace/files" });
  const files = useFiles(search);
  const blockedBy = useBlockedBy("member");
  useApiCalls([
    { title: "List files", method: "GET", path: filesPath(search), command: "files list" },
    { title: "Upload a file", method: "POST", path: "/files", command: "files upload report.csv" },
  ]);
  return (
    <Page title="Files" actions={<UploadButton />}>
      <Filters search={search} />
      <RecordList
        label="Files"
        list="files"
        pages={files}
        columns={FILE_COLUMNS}
        noMatch={isFiltered(search) && "No file matches these filters"}
        empty={<NoFiles />}
      />
      {search.file !== undefined && (
        <FileSheet
          key={search.file}
          id={search.file}
          onClose={() => void navigate({ search: (before) => ({ ...before, file: undefined }) })}
        />
      )}
      {blockedBy === undefined && search.add === "files" && (
        <UploadDialog onClose={() => void navigate({ search: (before) => ({ ...before, add: undefined }) })} />
      )}
    </Page>
  );
}

function UploadButton() {
  return (
    <OpenLink needs="member" search={ADD}>
      Upload files
    </OpenLink>
  );
}

function Filters({ search }: { readonly search: FilesSearch }) {
  const navigate = usePageNavigate({ from: "/w/$workspace/files" });
  const set = (change: { readonly [K in keyof FilesSearch]?: FilesSearch[K] | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...change }) });
  return (
    <FilterBar label="Filter files">
      <TextFilter
        label="Name or id"
        value={search.q ?? ""}
        onChange={(text) => set({ q: text === "" ? undefined : text })}
      />
      <FilterChoice
        label="Type"
        all="Any type"
        value={search.kind}
        options={FILE_KINDS}
        wordsOf={(kind) => KIND_LABELS[kind]}
        onChange={(kind) => set({ kind })}
      />
      <FilterChoice
        label="Direction"
        all="Any direction"
        value={search.direction}
        options={DIRECTIONS}
        wordsOf={capitalized}
        onChange={(direction) => set({ direction })}
      />
      {isFiltered(search) && (
        <ClearFilters onClear={() => set({ q: undefined, kind: undefined, direction: undefined })} />
      )}
    </FilterBar>
  );
}

function NoFiles() {
  return (
    <Empty
      title="No files yet"
      action={<UploadButton />}
      command={`curl -s ${location.origin}/files \\\n  -H "X-API-Key: $MUSTER_API_KEY" -F file=@report.csv`}
    >
      Files come with tasks, or out of their results. All of them are listed here with their run.
    </Empty>
  );
}

function UploadDialog({ onClose }: { readonly onClose: () => void }) {
  const { refresh } = useLive();
  const uploads = useUploads(async (file) => {
    const body = new FormData();
    body.append("file", file);
    await call(uploadFile)(body);
    refresh([["files"]]);
  });
  const hasAny = uploads.sendings.length > 0;
  return (
    <Dialog title="Upload files" isOpen onClose={onClose}>
      <UploadList uploads={uploads} help={ACCEPTED} />
      <DialogActions>
        <Button look={hasAny ? "primary" : "plain"} isBusy={uploads.isBusy} onClick={onClose}>
          {hasAny ? "Done" : "Close"}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
