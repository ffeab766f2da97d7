import { Link } from "@tanstack/react-router";
import { count } from "../../lib/format.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { ROW_LINK } from "../../ui/row-link.ts";
import type { Column } from "../../ui/table.tsx";
import type { Listing } from "./queries.ts";

/** What the marketplace offers; a row opens one. */
export const LISTING_COLUMNS: readonly Column<Listing>[] = [
  { head: "Name", cell: (listing) => <Name listing={listing} /> },
  {
    head: "Model",
    cell: ({ model }) => <Bdi className="block truncate text-ink-2">{model}</Bdi>,
    from: "md",
    width: "w-40",
  },
  {
    head: "By",
    cell: ({ publisher }) => <Bdi className="block truncate text-ink-2">{publisher}</Bdi>,
    from: "md",
    width: "w-40",
  },
  { head: "Tags", cell: ({ marketplace_tags: tags }) => <Tags tags={tags} />, from: "lg", width: "w-56" },
  { head: "Installs", cell: ({ install_count: installs }) => count(installs), align: "end", from: "sm", width: "w-24" },
];

function Name({ listing }: { readonly listing: Listing }) {
  return (
    <>
      <Link to="." search={(before) => ({ ...before, id: listing.id })} data-row dir="auto" className={ROW_LINK}>
        {visibleText(listing.name)}
      </Link>
      <Bdi className="block truncate text-small text-ink-3">{listing.description}</Bdi>
    </>
  );
}

/** Tags, each of which narrows the list. */
export function Tags({ tags }: { readonly tags: readonly string[] }) {
  return (
    <span className="relative z-1 flex flex-wrap gap-1">
      {tags.map((tag) => (
        <Link
          key={tag}
          to="."
          search={(before) => ({ ...before, tag, id: undefined })}
          className="chip min-h-6 max-w-full min-w-0 bg-raised text-ink-2 hover:text-ink"
        >
          <Bdi className="truncate">{tag}</Bdi>
        </Link>
      ))}
    </span>
  );
}
