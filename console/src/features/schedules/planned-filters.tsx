import { useNavigate } from "@tanstack/react-router";
import { ClearFilters, FilterBar, FilterChoice, TextFilter } from "../../ui/filters.tsx";
import { RecordFilter } from "../pickers/record-filter.tsx";
import { PLANNED_STATES, isNarrowed } from "./search.ts";
import type { PlannedSearch } from "./search.ts";

const STATE_LABELS = { active: "Active", paused: "Paused" } as const;

/** Narrows the schedules or triggers to a state, an agent or a team. */
export function PlannedFilters({ search }: { readonly search: PlannedSearch }) {
  const navigate = useNavigate();
  const set = (change: PlannedSearch) => void navigate({ to: ".", search: (before) => ({ ...before, ...change }) });
  const { q, state, agent, team } = search;
  return (
    <FilterBar label="Filter the list">
      <TextFilter label="Name or id" value={q ?? ""} onChange={(text) => set({ q: text === "" ? undefined : text })} />
      <FilterChoice
        label="State"
        all="Any state"
        value={state}
        options={PLANNED_STATES}
        wordsOf={(each) => STATE_LABELS[each]}
        onChange={(next) => set({ state: next })}
      />
      <RecordFilter kind="agent" value={agent} onChange={(id) => set({ agent: id })} />
      <RecordFilter kind="team" value={team} onChange={(id) => set({ team: id })} />
      {isNarrowed(search) && (
        <ClearFilters onClear={() => set({ q: undefined, state: undefined, agent: undefined, team: undefined })} />
      )}
    </FilterBar>
  );
}
