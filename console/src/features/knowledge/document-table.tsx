import { Link } from "@tanstack/react-router";
import { useBlockedBy } from "../../api/use-session.ts";
import { bytes, count } from "../../lib/format.ts";
import { useAction } from "../../ui/use-action.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { Button } from "../../ui/button.tsx";
import { ROW_LINK } from "../../ui/row-link.ts";
import { Table } from "../../ui/table.tsx";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { DocumentState } from "./document-state.tsx";
import { useDocumentActions } from "./queries.ts";
import type { KnowledgeBase, KnowledgeDocument } from "./queries.ts";

/** A document, and the name of its base where several are shown. */
interface Row {
  readonly document: KnowledgeDocument;
  readonly base: string | undefined;
}

const COLUMNS: readonly Column<Row>[] = [
  {
    head: "Document",
    cell: ({ document, base }) => <Name document={document} base={base} />,
  },
  { head: "State", width: "w-32 max-sm:w-28", cell: ({ document }) => <DocumentState document={document} /> },
  {
    head: "Passages",
    from: "lg",
    width: "w-20",
    align: "end",
    cell: ({ document: { passages } }) => <span className="text-ink-2">{passages > 0 && count(passages)}</span>,
  },
  {
    head: "Size",
    from: "lg",
    width: "w-20",
    align: "end",
    cell: ({ document: { size } }) => <span className="text-ink-2">{bytes(size)}</span>,
  },
  {
    head: "Added",
    from: "md",
    width: "w-28",
    align: "end",
    cell: ({ document: { created_at: at } }) => (
      <span className="text-ink-2">
        <Time at={at} />
      </span>
    ),
  },
  {
    head: "Action",
    from: "sm",
    width: "w-32",
    align: "end",
    cell: ({ document }) => document.status === "failed" && <ReprocessButton document={document} />,
  },
];

/** Documents with their state; those that failed say why, and can be read again right here. */
export function DocumentTable({
  documents,
  bases,
  isStale,
}: {
  readonly documents: readonly KnowledgeDocument[];
  /** To name the base of each; empty when they are all in one. */
  readonly bases: readonly KnowledgeBase[];
  readonly isStale: boolean;
}) {
  const rows = documents.map((document) => ({
    document,
    base: bases.find(({ id }) => id === document.knowledge_base_id)?.name,
  }));
  return (
    <Table label="Documents" columns={COLUMNS} rows={rows} keyOf={({ document: { id } }) => id} isStale={isStale} />
  );
}

function Name({ document, base }: { readonly document: KnowledgeDocument; readonly base: string | undefined }) {
  const { id, name, error, warning, tags } = document;
  return (
    <>
      <Link to="." search={(before) => ({ ...before, document: id })} data-row dir="auto" className={ROW_LINK}>
        {visibleText(name)}
      </Link>
      {error !== null && <span className="line-clamp-2 text-small text-failed">{error}</span>}
      {warning !== null && <span className="line-clamp-2 text-small text-waiting">{warning}</span>}
      {(base !== undefined || tags.length > 0) && (
        <span className="mt-0.5 flex items-center gap-1.5 overflow-hidden text-small text-ink-3">
          {base !== undefined && (
            <span dir="auto" className="max-w-1/2 shrink-0 truncate">
              {visibleText(base)}
            </span>
          )}
          <Tags tags={tags} />
        </span>
      )}
    </>
  );
}

/** Reads a document once more from its original. */
export function ReprocessButton({ document }: { readonly document: KnowledgeDocument }) {
  const { readAgain } = useDocumentActions();
  const blockedBy = useBlockedBy("member");
  const { act, isBusy } = useAction(() => readAgain(document.id));
  return (
    <Button size="small" className="relative z-1" blockedBy={blockedBy} isBusy={isBusy} onClick={act}>
      Read again
    </Button>
  );
}

/** A tag of up to this many characters is never cut for a longer one beside it. */
const SHORT = 10;

/** Tags as chips, in one line; all are in the tooltip. */
export function Tags({ tags }: { readonly tags: readonly string[] }) {
  return (
    <span className="flex min-w-0 gap-1 overflow-hidden" title={visibleText(tags.join(", "))}>
      {tags.map((tag) => (
        <span
          key={tag}
          dir="auto"
          className={`max-w-32 truncate rounded-full bg-raised px-2 text-small text-ink-2 ${tag.length > SHORT ? "min-w-12" : "shrink-0"}`}
        >
          {visibleText(tag)}
        </span>
      ))}
    </span>
  );
}
