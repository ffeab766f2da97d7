import { useState } from "react";
import type { components } from "#client/gen/schema.ts";
import { count } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBox } from "../../ui/code-box.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { QueryPart } from "../../ui/query-part.tsx";
import { Section, SectionEmpty } from "../../ui/section.tsx";
import { Table } from "../../ui/table.tsx";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { ErasePersonButton } from "./erase-person.tsx";
import { useErasures } from "./queries.ts";

type Erasure = components["schemas"]["Erasure"];

const COLUMNS: readonly Column<Erasure>[] = [
  {
    head: "Erased",
    cell: ({ kind, subject_id: id }) => (
      <span className="block truncate">
        {kind === "person" ? "Person" : "Workspace"} <span className="font-mono text-mono text-ink-3">{id}</span>
      </span>
    ),
  },
  { head: "State", cell: ({ ended_at: at }) => (at === null ? "In progress" : "Done"), width: "w-28" },
  { head: "Rows", cell: ({ removed }) => count(rowsOf(removed)), align: "end", from: "sm", width: "w-24" },
  { head: "Asked for", cell: ({ requested_at: at }) => <Time at={at} />, from: "sm", width: "w-32" },
  { head: "Receipt", cell: (erasure) => <ReceiptButton erasure={erasure} />, align: "end", width: "w-24" },
];

/** How many the service lists. */
const MAX_LISTED = 200;

/** The receipts of erasures, newest first, and the erasure of a person. */
export function ErasureList() {
  return (
    <Section title="Erasures" aside={<ErasePersonButton />}>
      <QueryPart query={useErasures()}>
        {(rows) =>
          rows.length === 0 ? (
            <SectionEmpty>No erasures yet.</SectionEmpty>
          ) : (
            <div className="-mx-page">
              <Table label="Erasures" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} />
              {rows.length === MAX_LISTED && (
                <div className="px-page">
                  <SectionEmpty>There are more: these are the newest {MAX_LISTED}.</SectionEmpty>
                </div>
              )}
            </div>
          )
        }
      </QueryPart>
    </Section>
  );
}

function ReceiptButton({ erasure }: { readonly erasure: Erasure }) {
  const [isOpen, setOpen] = useState(false);
  const text = JSON.stringify(erasure, null, 2);
  const close = () => setOpen(false);
  return (
    <>
      <Button size="small" aria-label={`Receipt of ${erasure.subject_id}`} onClick={() => setOpen(true)}>
        Show
      </Button>
      <Dialog title="Receipt" description="It has ids and numbers only, no names." isOpen={isOpen} onClose={close}>
        <CodeBox aria-label="Receipt" className="box px-3 py-2">
          {text}
        </CodeBox>
        <DialogActions>
          <CopyButton text={text} label="Copy receipt" />
          <Button onClick={close}>Close</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

function rowsOf(removed: Erasure["removed"]): number {
  return Object.values(removed).reduce((sum, rows) => sum + rows, 0);
}
