import { STATE_LABELS, stateOf } from "../../lib/run-state.ts";
import { usePageNavigate } from "../../lib/use-page-navigate.ts";
import { FilterButton, FilterChecks, FilterChoice, TextFilter } from "../../ui/filters.tsx";
import { CloseIcon } from "../../ui/icons.ts";
import { keepInLine } from "../../ui/keep-in-view.ts";
import { Menu, MenuChoice } from "../../ui/menu.tsx";
import { VanishingButton } from "../../ui/vanishing-button.tsx";
import { ByFilter, CostFilter, TagFilter } from "./more-filters.tsx";
import type { SetFilters } from "./more-filters.tsx";
import { SavedFilters } from "./saved-filters.tsx";
import { ERROR_CODES, FEEDBACK, PERIODS, RUN_STATUSES, SORTS, SOURCES, isFiltered } from "./search.ts";
import type { RunsSearch } from "./search.ts";
import { SOURCE_LABELS } from "../records/run-source.ts";

const PERIOD_LABELS = {
  "1h": "Last hour",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
} as const;
const SORT_LABELS = { newest: "Newest first", cost: "Most expensive first", duration: "Longest first" } as const;
const FEEDBACK_LABELS = { up: "Good", down: "Bad", note: "With a note" } as const;

/** The filters of the list; each is a part of the URL. */
export function FilterBar({ search }: { readonly search: RunsSearch }) {
  const navigate = usePageNavigate({ from: "/w/$workspace/runs" });
  const set: SetFilters = (change) => void navigate({ search: (before) => ({ ...before, ...change }) });
  return (
    <div
      role="search"
      aria-label="Filter runs"
      className="flex items-start gap-2 border-b border-line px-page py-2 max-sm:flex-col max-sm:items-stretch"
    >
      <TextFilter label="Title or id" value={search.q ?? ""} onChange={(q) => set({ q: q === "" ? undefined : q })} />
      <div className="flex flex-1 flex-wrap items-center gap-1.5 max-sm:strip" onFocus={keepInLine}>
        <FilterChecks
          label="Status"
          values={search.status}
          options={RUN_STATUSES}
          wordsOf={wordOf}
          onChange={(status) => set({ status })}
        />
        <ByFilter search={search} set={set} />
        <FilterChecks
          label="Source"
          values={search.source}
          options={SOURCES}
          wordsOf={(each) => SOURCE_LABELS[each]}
          onChange={(source) => set({ source })}
        />
        <FilterChoice
          label="Period"
          all="Any time"
          value={search.since}
          options={PERIODS}
          wordsOf={(period) => PERIOD_LABELS[period]}
          onChange={(since) => set({ since })}
        />
        <FilterChecks
          label="Error"
          values={search.error}
          options={ERROR_CODES}
          drawn={(code) => <span className="font-mono text-small">{code}</span>}
          onChange={(error) => set({ error })}
        />
        <FilterChecks
          label="Feedback"
          values={search.feedback}
          options={FEEDBACK}
          wordsOf={(each) => FEEDBACK_LABELS[each]}
          onChange={(feedback) => set({ feedback })}
        />
        <CostFilter search={search} set={set} />
        <TagFilter search={search} set={set} />
        <BarEnd search={search} set={set} />
      </div>
    </div>
  );
}

/** They wrap together: one of them alone in a line looks lost. */
function BarEnd({ search, set }: { readonly search: RunsSearch; readonly set: SetFilters }) {
  const navigate = usePageNavigate({ from: "/w/$workspace/runs" });
  const { sort } = search;
  return (
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
  );
}

function wordOf(status: string): string {
  return STATE_LABELS[stateOf({ kind: "task", status })];
}
