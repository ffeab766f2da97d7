import { ClearFilters, FilterBar, FilterChoice, TextFilter } from "../../ui/filters.tsx";
import { documentStateLabel } from "./document-state.tsx";
import { DOCUMENT_STATUSES, isFiltered } from "./search.ts";
import type { KnowledgeSearch } from "./search.ts";
import { usePageNavigate } from "../../lib/use-page-navigate.ts";

/** The filters of documents; each is a part of the URL. */
export function DocumentFilters({
  search,
  tags,
}: {
  readonly search: KnowledgeSearch;
  /** The tags that can be chosen. */
  readonly tags: readonly string[];
}) {
  const navigate = usePageNavigate({ from: "/w/$workspace/knowledge" });
  const set = (change: { readonly [K in keyof KnowledgeSearch]?: KnowledgeSearch[K] | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...change }) });
  const { q, status, tag } = search;
  return (
    <FilterBar label="Filter documents">
      <TextFilter label="Name or id" value={q ?? ""} onChange={(text) => set({ q: text === "" ? undefined : text })} />
      <FilterChoice
        label="State"
        all="Any state"
        value={status}
        options={DOCUMENT_STATUSES}
        wordsOf={documentStateLabel}
        onChange={(value) => set({ status: value })}
      />
      <FilterChoice label="Tag" all="Any tag" value={tag} options={tags} onChange={(value) => set({ tag: value })} />
      {isFiltered(search) && <ClearFilters onClear={() => set({ q: undefined, status: undefined, tag: undefined })} />}
    </FilterBar>
  );
}
