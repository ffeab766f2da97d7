import { ClearFilters, FilterBar, FilterChoice, TextFilter } from "../../../ui/filters.tsx";
import { AGENT_STATUSES, isFiltered } from "../search.ts";
import type { AgentsSearch } from "../search.ts";
import { STATUS_LABELS } from "./status-labels.ts";
import { usePageNavigate } from "../../../lib/use-page-navigate.ts";

/** The filters of the list of agents; each is a part of the URL. */
export function AgentFilters({
  search,
  tags,
}: {
  readonly search: AgentsSearch;
  /** The tags that can be chosen. */
  readonly tags: readonly string[];
}) {
  const navigate = usePageNavigate({ from: "/w/$workspace/agents" });
  const set = (change: { readonly [K in keyof AgentsSearch]?: AgentsSearch[K] | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...change }) });
  const { q, status, tag } = search;
  return (
    <FilterBar label="Filter agents">
      <TextFilter label="Name or id" value={q ?? ""} onChange={(text) => set({ q: text === "" ? undefined : text })} />
      <FilterChoice
        label="Status"
        all="Any status"
        value={status}
        options={AGENT_STATUSES}
        wordsOf={(each) => STATUS_LABELS[each]}
        onChange={(value) => set({ status: value })}
      />
      {(tags.length > 0 || tag !== undefined) && (
        <FilterChoice label="Tag" all="Any tag" value={tag} options={tags} onChange={(value) => set({ tag: value })} />
      )}
      {isFiltered(search) && <ClearFilters onClear={() => set({ q: undefined, status: undefined, tag: undefined })} />}
    </FilterBar>
  );
}
