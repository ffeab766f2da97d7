import { Link } from "@tanstack/react-router";
import { bytes } from "../../lib/format.ts";
import { ROW_LINK } from "../../ui/row-link.ts";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { RunOf } from "./file-sheet.tsx";
import type { ListedFile } from "./queries.ts";
import { visibleText } from "../../lib/visible-text.ts";

/** Files with the run that they belong to. */
export const FILE_COLUMNS: readonly Column<ListedFile>[] = [
  { head: "File", cell: (file) => <Name file={file} /> },
  { head: "Run", from: "sm", width: "w-64 max-md:w-40", cell: (file) => <RunOf file={file} /> },
  {
    head: "Direction",
    from: "md",
    width: "w-24",
    cell: ({ direction }) => <span className="text-ink-2">{direction === "input" ? "Input" : "Output"}</span>,
  },
  {
    head: "Type",
    from: "lg",
    width: "w-44",
    cell: ({ type }) => <span className="block truncate text-ink-2">{type}</span>,
  },
  {
    head: "Size",
    align: "end",
    from: "sm",
    width: "w-20",
    cell: ({ size }) => <span className="text-ink-2">{bytes(size)}</span>,
  },
  {
    head: "Added",
    align: "end",
    from: "md",
    width: "w-28",
    cell: ({ created_at: at }) => (
      <span className="text-ink-2">
        <Time at={at} />
      </span>
    ),
  },
];

function Name({ file }: { readonly file: ListedFile }) {
  return (
    <>
      <Link to="." search={(before) => ({ ...before, file: file.id })} data-row dir="auto" className={ROW_LINK}>
        {visibleText(file.name)}
      </Link>
      <span dir="auto" className="block truncate text-small text-ink-3 sm:hidden">
        {bytes(file.size)}, {file.work_title ?? "not used yet"}
      </span>
    </>
  );
}
