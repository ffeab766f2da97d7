import { useNavigate } from "@tanstack/react-router";
import { Button } from "../../ui/button.tsx";
import { FilterButton } from "../../ui/filters.tsx";
import { CloseIcon } from "../../ui/icons.tsx";
import { Menu, MenuChoice } from "../../ui/menu.tsx";
import { useAgents, useTeams } from "../agents/queries.ts";
import type { QuestionsSearch } from "./search.ts";

const ANY = "";
const NO_PEOPLE: readonly never[] = [];

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
      <Asker label="Agent" all={useAgents().data} value={search.agent} onChange={(agent) => set({ agent })} />
      <Asker label="Team" all={useTeams().data} value={search.team} onChange={(team) => set({ team })} />
      {(search.agent ?? search.team) !== undefined && (
        <Button look="quiet" size="small" icon={CloseIcon} onClick={() => set({ agent: undefined, team: undefined })}>
          Clear filters
        </Button>
      )}
    </div>
  );
}

function Asker({
  label,
  all = NO_PEOPLE,
  value,
  onChange,
}: {
  readonly label: string;
  readonly all: readonly { readonly id: string; readonly name: string }[] | undefined;
  readonly value: string | undefined;
  readonly onChange: (id: string | undefined) => void;
}) {
  const chosen = value === undefined ? "" : (all.find(({ id }) => id === value)?.name ?? value.slice(0, 8));
  return (
    <Menu align="start" trigger={<FilterButton label={label} value={chosen} />}>
      <MenuChoice
        value={value ?? ANY}
        options={[{ value: ANY, label: "Any" }, ...all.map(({ id, name }) => ({ value: id, label: name }))]}
        onChange={(id) => onChange(id === ANY ? undefined : id)}
      />
    </Menu>
  );
}
