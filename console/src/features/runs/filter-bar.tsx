import { STATE_LABELS, stateOf } from "../../lib/run-state.ts";
import { usePageNavigate } from "../../lib/use-page-navigate.ts";
import { FilterButton, TextFilter } from "../../ui/filters.tsx";
import { CloseIcon } from "../../ui/icons.ts";
import { keepInLine } from "../../ui/keep-in-view.ts";
import { Menu, MenuChecks, MenuChoice } from "../../ui/menu.tsx";
import { VanishingButton } from "../../ui/vanishing-button.tsx";
import { ByFilter, CostFilter, ErrorFilter, FeedbackFilter, TagFilter, toggled } from "./more-filters.tsx";
import type { SetFilters } from "./more-filters.tsx";
import { SavedFilters } from "./saved-filters.tsx";
import { PERIODS, RUN_STATUSES, SORTS, SOURCES, isFiltered } from "./search.ts";
import type { RunsSearch } from "./search.ts";
import { SOURCE_LABELS } from "../records/run-source.ts";

const PERIOD_LABELS = {
  "1h": "Last hour",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
} as const;
const SORT_LABELS = { newest: "Newest first", cost: "Most expensive first", duration: "Longest first" } as const;
const ANY = "any";

/** The filters of the list; each is a part of the URL. */
export function FilterBar({ search }: { readonly search: RunsSearch }) {
  const navigate = usePageNavigate({ from: "/w/$workspace/runs" });
  const set: SetFilters = (change) => void navigate({ search: (before) => ({ ...before, ...change }) });
  const { status = [], source = [], since, sort } = search;
  return (
    <div
      role="search"
      aria-label="Filter runs"
      className="flex items-start gap-2 border-b border-line px-6 py-2 max-sm:flex-col max-sm:items-stretch max-sm:px-4"
    >
      <TextFilter label="Title or id" value={search.q ?? ""} onChange={(q) => set({ q: q === "" ? undefined : q })} />
      <div
        className="flex flex-1 flex-wrap items-center gap-1.5 max-sm:-mx-4 max-sm:flex-nowrap max-sm:overflow-x-auto max-sm:px-4 max-sm:py-1"
        onFocus={keepInLine}
      >
        <Menu align="start" trigger={<FilterButton label="Status" value={status.map(wordOf).join(", ")} />}>
          <MenuChecks
            values={status}
            options={RUN_STATUSES.map((value) => ({ value, label: wordOf(value) }))}
            onToggle={(value) => set({ status: toggled(status, value) })}
          />
        </Menu>
        <ByFilter search={search} set={set} />
        <Menu
          align="start"
          trigger={<FilterButton label="Source" value={source.map((each) => SOURCE_LABELS[each]).join(", ")} />}
        >
          <MenuChecks
            values={source}
            options={SOURCES.map((value) => ({ value, label: SOURCE_LABELS[value] }))}
            onToggle={(value) => set({ source: toggled(source, value) })}
          />
        </Menu>
        <Menu
          align="start"
          trigger={<FilterButton label="Period" value={since === undefined ? "" : PERIOD_LABELS[since]} />}
        >
          <MenuChoice
            value={since ?? ANY}
            options={[
              { value: ANY, label: "Any time" },
              ...PERIODS.map((value) => ({ value, label: PERIOD_LABELS[value] })),
            ]}
            onChange={(value) => set({ since: PERIODS.find((period) => period === value) })}
          />
        </Menu>
        <ErrorFilter search={search} set={set} />
        <FeedbackFilter search={search} set={set} />
        <CostFilter search={search} set={set} />
        <TagFilter search={search} set={set} />
        {/* They wrap together: one of them alone in a line looks lost. */}
        <div className="flex items-center gap-1.5">
          <SavedFilters search={search} />
          {isFiltered(search) && (
            <VanishingButton
              look="quiet"
              size="small"
              icon={CloseIcon}
              aria-label="Clear filters"
              title="Clear filters"
              onClick={() => void navigate({ search: sort ? { sort } : {} })}
            />
          )}
          <Menu trigger={<FilterButton label="Order" value={sort === undefined ? "" : SORT_LABELS[sort]} />}>
            <MenuChoice
              value={sort ?? "newest"}
              options={SORTS.map((value) => ({ value, label: SORT_LABELS[value] }))}
              onChange={(value) => set({ sort: value === "newest" ? undefined : value })}
            />
          </Menu>
        </div>
      </div>
    </div>
  );
}

function wordOf(status: string): string {
  return STATE_LABELS[stateOf({ kind: "task", status })];
}
