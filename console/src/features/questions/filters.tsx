import { useNavigate } from "@tanstack/react-router";
import { Button } from "../../ui/button.tsx";
import { CloseIcon } from "../../ui/icons.tsx";
import { RecordFilter } from "../pickers/record-filter.tsx";
import type { QuestionsSearch } from "./search.ts";

/** The filters of the questions by who asks. */
export function QuestionFilters({ search }: { readonly search: QuestionsSearch }) {
  const navigate = useNavigate({ from: "/w/$workspace/questions" });
  const set = (change: { readonly agent?: string | undefined; readonly team?: string | undefined }) =>
    void navigate({ search: (before) => ({ ...before, ...change, id: undefined }) });
  return (
    <div
      role="search"
      aria-label="Filter questions"
      className="flex items-center gap-2 border-b border-line px-6 py-2 max-sm:px-4"
    >
      <RecordFilter kind="agent" value={search.agent} onChange={(agent) => set({ agent })} />
      <RecordFilter kind="team" value={search.team} onChange={(team) => set({ team })} />
      {(search.agent ?? search.team) !== undefined && (
        <Button look="quiet" size="small" icon={CloseIcon} onClick={() => set({ agent: undefined, team: undefined })}>
          Clear filters
        </Button>
      )}
    </div>
  );
}
