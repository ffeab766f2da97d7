import { useState } from "react";
import { cost } from "../../lib/format.ts";
import { useSettled } from "../../lib/use-settled.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { Menu, MenuChecks, MenuChoice, MenuLabel, MenuSearch } from "../../ui/menu.tsx";
import { useAgentTags } from "../records/agent-tags.ts";
import { useNames, useNamesOf } from "../pickers/records.ts";
import { FilterButton } from "../../ui/filters.tsx";
import { ERROR_CODES, FEEDBACK } from "./search.ts";
import type { RunsSearch } from "./search.ts";

const COSTS = [0.01, 0.1, 1, 10] as const;
const ANY = "any";

/** What a filter changes of the URL. */
export type SetFilters = (change: { readonly [K in keyof RunsSearch]?: RunsSearch[K] | undefined }) => void;

interface FilterProps {
  readonly search: RunsSearch;
  readonly set: SetFilters;
}

/** Who does the work: agents and teams. Their names are fetched when they are needed. */
export function ByFilter({ search, set }: FilterProps) {
  const { agent = [], team = [] } = search;
  const names = [...agent.map(useNamesOf("agent", agent)), ...team.map(useNamesOf("team", team))];
  return (
    <Menu align="start" trigger={<FilterButton label="By" value={names.join(", ")} />}>
      <ByChecks search={search} set={set} />
    </Menu>
  );
}

function ByChecks({ search, set }: FilterProps) {
  const { agent = [], team = [] } = search;
  const [text, setText] = useState("");
  const settled = useSettled(text.trim());
  const [allAgents, allTeams] = [useNames("agent"), useNames("team")];
  const agents = useNames("agent", settled)?.names ?? [];
  const teams = useNames("team", settled)?.names ?? [];
  const hasMore = allAgents?.hasMore === true || allTeams?.hasMore === true;
  return (
    <>
      {hasMore && <MenuSearch label="Find agents and teams" text={text} onText={setText} />}
      {agents.length > 0 && <MenuLabel>Agents</MenuLabel>}
      <MenuChecks
        values={agent}
        options={agents.map(({ id, name }) => ({ value: id, label: <Bdi>{name}</Bdi> }))}
        onToggle={(id) => set({ agent: toggled(agent, id) })}
      />
      {teams.length > 0 && <MenuLabel>Teams</MenuLabel>}
      <MenuChecks
        values={team}
        options={teams.map(({ id, name }) => ({ value: id, label: <Bdi>{name}</Bdi> }))}
        onToggle={(id) => set({ team: toggled(team, id) })}
      />
      {agents.length + teams.length === 0 && (
        <MenuLabel>{settled === "" ? "No agents or teams yet" : "Nothing matches"}</MenuLabel>
      )}
    </>
  );
}

/** The tags of agents. */
export function TagFilter({ search, set }: FilterProps) {
  return (
    <Menu align="start" trigger={<FilterButton label="Tag" value={search.tag?.join(", ") ?? ""} />}>
      <TagChecks search={search} set={set} />
    </Menu>
  );
}

function TagChecks({ search, set }: FilterProps) {
  const { tag = [] } = search;
  const tags = [...new Set([...tag, ...useAgentTags()])].toSorted();
  if (tags.length === 0) return <MenuLabel>No agent has a tag</MenuLabel>;
  return (
    <MenuChecks
      values={tag}
      options={tags.map((value) => ({ value, label: <Bdi>{value}</Bdi> }))}
      onToggle={(value) => set({ tag: toggled(tag, value) })}
    />
  );
}

/** Why runs have failed. */
export function ErrorFilter({ search, set }: FilterProps) {
  const { error = [] } = search;
  return (
    <Menu align="start" trigger={<FilterButton label="Error" value={error.join(", ")} />}>
      <MenuChecks
        values={error}
        options={ERROR_CODES.map((value) => ({ value, label: <span className="font-mono text-small">{value}</span> }))}
        onToggle={(value) => set({ error: toggled(error, value) })}
      />
    </Menu>
  );
}

const FEEDBACK_LABELS = { up: "Good", down: "Bad", note: "With a note" } as const;

/** What people said of runs. */
export function FeedbackFilter({ search, set }: FilterProps) {
  const { feedback = [] } = search;
  return (
    <Menu
      align="start"
      trigger={<FilterButton label="Feedback" value={feedback.map((each) => FEEDBACK_LABELS[each]).join(", ")} />}
    >
      <MenuChecks
        values={feedback}
        options={FEEDBACK.map((value) => ({ value, label: FEEDBACK_LABELS[value] }))}
        onToggle={(value) => set({ feedback: toggled(feedback, value) })}
      />
    </Menu>
  );
}

/** What runs have cost at least. */
export function CostFilter({ search: { cost: least }, set }: FilterProps) {
  const amounts = [...new Set([...COSTS, ...(least === undefined ? [] : [least])])].toSorted((a, b) => a - b);
  return (
    <Menu
      align="start"
      trigger={<FilterButton label="Cost" value={least === undefined ? "" : `from ${cost(least)}`} />}
    >
      <MenuChoice
        value={least === undefined ? ANY : String(least)}
        options={[
          { value: ANY, label: "Any cost" },
          ...amounts.map((amount) => ({ value: String(amount), label: `From ${cost(amount)}` })),
        ]}
        onChange={(value) => set({ cost: value === ANY ? undefined : Number(value) })}
      />
    </Menu>
  );
}

/** The values without one of them, or with it; undefined for none. */
export function toggled<T>(values: readonly T[], value: T): readonly T[] | undefined {
  const next = values.includes(value) ? values.filter((each) => each !== value) : [...values, value];
  return next.length === 0 ? undefined : next;
}
