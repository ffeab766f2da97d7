import { useState } from "react";
import { cost } from "../../lib/format.ts";
import { useSettled } from "../../lib/use-settled.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { Menu, MenuChecks, MenuLabel, MenuSearch } from "../../ui/menu.tsx";
import { useAgentTags } from "../records/agent-tags.ts";
import { useNames, useNamesOf } from "../pickers/records.ts";
import { FilterButton, FilterChoice, toggled } from "../../ui/filters.tsx";
import type { RunsSearch } from "./search.ts";

const COSTS = [0.01, 0.1, 1, 10] as const;

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

/** What runs have cost at least. */
export function CostFilter({ search: { cost: least }, set }: FilterProps) {
  const amounts = [...new Set([...COSTS, ...(least === undefined ? [] : [least])])].toSorted((a, b) => a - b);
  return (
    <FilterChoice
      label="Cost"
      all="Any cost"
      value={least === undefined ? undefined : String(least)}
      options={amounts.map(String)}
      wordsOf={(amount) => `from ${cost(Number(amount))}`}
      drawn={(amount) => `From ${cost(Number(amount))}`}
      onChange={(amount) => set({ cost: amount === undefined ? undefined : Number(amount) })}
    />
  );
}
