import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useBlockedBy } from "../../api/use-session.ts";
import { count } from "../../lib/format.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { Button } from "../../ui/button.tsx";
import { Select } from "../../ui/fields.tsx";
import { PlusIcon } from "../../ui/icons.ts";
import type { KnowledgeBase } from "./queries.ts";

/** So many bases are shown at first, and more at a time. */
const PAGE = 50;

/** The list of all documents is another one than that of a base. */
const ACTIVE = { exact: true } as const;

/** The knowledge bases: a list beside the documents, on a phone one control above them. */
export function BaseList({
  bases,
  selected,
}: {
  readonly bases: readonly KnowledgeBase[];
  readonly selected: string | undefined;
}) {
  const navigate = useNavigate();
  const blockedBy = useBlockedBy("member");
  const add = () => void navigate({ to: ".", search: (before) => ({ ...before, add: "base" as const }) });
  const [pages, setPages] = useState(1);
  // The selected one is always among them.
  const shown = bases.slice(0, Math.max(pages * PAGE, bases.findIndex(({ id }) => id === selected) + 1));
  const all = bases.reduce((sum, { documents }) => sum + documents, 0);
  const total = { id: undefined, name: "All documents", documents: all };
  return (
    <>
      <nav aria-label="Knowledge bases" className="side gap-0.5 max-md:hidden">
        {[total, ...shown].map(({ id, name, documents }) => (
          <Link
            key={id ?? ""}
            to="."
            search={(before) => ({ ...before, base: id, document: undefined })}
            activeOptions={ACTIVE}
            className="place h-control"
          >
            <span dir="auto" className="min-w-0 flex-1 truncate">
              {visibleText(name)}
            </span>
            <span className="text-small text-ink-3">{count(documents)}</span>
          </Link>
        ))}
        {shown.length < bases.length && (
          <Button look="quiet" size="small" className="self-start" onClick={() => setPages(pages + 1)}>
            Show more
          </Button>
        )}
        <Button
          look="quiet"
          size="small"
          icon={PlusIcon}
          blockedBy={blockedBy}
          className="mt-2 self-start"
          onClick={add}
        >
          New knowledge base
        </Button>
      </nav>
      <NarrowList all={[total, ...bases]} selected={selected} blockedBy={blockedBy} onAdd={add} />
    </>
  );
}

/** On a phone: one control above the documents. */
function NarrowList({
  all,
  selected,
  blockedBy,
  onAdd,
}: {
  readonly all: readonly { readonly id: string | undefined; readonly name: string; readonly documents: number }[];
  readonly selected: string | undefined;
  readonly blockedBy: string | undefined;
  readonly onAdd: () => void;
}) {
  const navigate = useNavigate();
  return (
    <div className="flex gap-2 px-page pt-3 md:hidden">
      <Select
        aria-label="Knowledge base"
        className="min-w-0 flex-1"
        value={selected ?? ""}
        onChange={({ target }) =>
          void navigate({
            to: ".",
            search: (before) => ({ ...before, base: target.value === "" ? undefined : target.value }),
          })
        }
      >
        {all.map(({ id, name, documents }) => (
          <option key={id ?? ""} value={id ?? ""}>
            {name} ({count(documents)})
          </option>
        ))}
      </Select>
      <Button icon={PlusIcon} blockedBy={blockedBy} aria-label="New knowledge base" onClick={onAdd}>
        New
      </Button>
    </div>
  );
}
