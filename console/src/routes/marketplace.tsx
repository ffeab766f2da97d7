import { Link, useSearch } from "@tanstack/react-router";
import { useWorkspace } from "../api/use-session.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { ListingSheet } from "../features/marketplace/listing-sheet.tsx";
import { LISTING_COLUMNS } from "../features/marketplace/listing-columns.tsx";
import { marketplacePath, useListings } from "../features/marketplace/queries.ts";
import { MARKETPLACE_SORTS, readMarketplaceSearch } from "../features/marketplace/search.ts";
import type { MarketplaceSearch } from "../features/marketplace/search.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { FilterBar, FilterButton, TextFilter } from "../ui/filters.tsx";
import { CloseIcon } from "../ui/icons.ts";
import { Menu, MenuChoice } from "../ui/menu.tsx";
import { Page } from "../ui/page.tsx";
import { RecordList } from "../ui/record-list.tsx";
import { Empty } from "../ui/states.tsx";
import { usePageNavigate } from "../lib/use-page-navigate.ts";

const FROM = "/w/$workspace/marketplace";
const SORT_LABELS = { newest: "Newest", installs: "Most installed" } as const;

/** Agents that workspaces of this service offer to each other. */
export function MarketplacePage() {
  const { slug } = useWorkspace();
  const search = readMarketplaceSearch(useSearch({ from: FROM }));
  const { q, tag, sort, id } = search;
  const pages = useListings(search);
  const navigate = usePageNavigate({ from: FROM });
  const set = (change: MarketplaceSearch) => void navigate({ search: (before) => ({ ...before, ...change }) });
  useApiCalls([
    { title: "Search the marketplace", method: "GET", path: marketplacePath(search) },
    { title: "Install an agent", method: "POST", path: `/console/api/marketplace/${id ?? "<listing id>"}/install` },
  ]);
  return (
    <Page title="Marketplace">
      <FilterBar label="Filter agents">
        <TextFilter
          label="Name or description"
          value={q ?? ""}
          onChange={(text) => set({ q: text === "" ? undefined : text })}
        />
        {tag !== undefined && (
          <Button size="small" icon={CloseIcon} onClick={() => set({ tag: undefined })}>
            Tag: {tag}
          </Button>
        )}
        <div className="sm:ms-auto">
          <Menu trigger={<FilterButton label="Order" value={sort === undefined ? "" : SORT_LABELS[sort]} />}>
            <MenuChoice
              value={sort ?? "newest"}
              options={MARKETPLACE_SORTS.map((value) => ({ value, label: SORT_LABELS[value] }))}
              onChange={(value) => set({ sort: value === "newest" ? undefined : value })}
            />
          </Menu>
        </div>
      </FilterBar>
      <RecordList
        label="Marketplace"
        pages={pages}
        columns={LISTING_COLUMNS}
        noMatch={(q !== undefined || tag !== undefined) && "Nothing matches"}
        empty={
          <Empty
            title="No agents are listed yet"
            action={
              <Link to="/w/$workspace/agents" params={{ workspace: slug }} className={buttonClass()}>
                Choose an agent
              </Link>
            }
          >
            Workspaces of this service share agents here. List one of yours on its own page.
          </Empty>
        }
      />
      {id !== undefined && <ListingSheet id={id} onClose={() => set({ id: undefined })} />}
    </Page>
  );
}
