import { ClearFilters, FilterBar } from "../../ui/filters.tsx";
import { RecordFilter } from "../pickers/record-filter.tsx";
import type { QuestionsSearch } from "./search.ts";
import { usePageNavigate } from "../../lib/use-page-navigate.ts";

/** The filters of the questions by who asks. */
export function QuestionFilters({ search }: { readonly search: QuestionsSearch }) {
  const navigate = usePageNavigate({ from: "/w/$workspace/questions" });
  const set = (change: { readonly agent?: string | undefined; readonly team?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...change, id: undefined }) });
  return (
    <FilterBar label="Filter questions">
      <RecordFilter kind="agent" value={search.agent} onChange={(agent) => set({ agent })} />
      <RecordFilter kind="team" value={search.team} onChange={(team) => set({ team })} />
      {(search.agent ?? search.team) !== undefined && (
        <ClearFilters onClear={() => set({ agent: undefined, team: undefined })} />
      )}
    </FilterBar>
  );
}
