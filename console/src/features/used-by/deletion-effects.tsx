import { plural } from "../../lib/format.ts";
import { KINDS } from "./kinds.ts";
import { useUsedBy } from "./queries.ts";
import type { UsedBy, UsedThing } from "./queries.ts";

const GOES = KINDS.filter(({ kind }) => kind !== "team" && kind !== "route");

/** The effects of deleting an agent or a team, by name and number; nothing while they load. */
export function DeletionEffects({ thing }: { readonly thing: UsedThing }) {
  const { data, isPending } = useUsedBy(thing);
  if (isPending) return <p>Checking what uses it</p>;
  if (data === undefined) return null;
  const effects = effectsOf(data);
  if (effects.length === 0) return <p>Nothing else uses it.</p>;
  return (
    <ul aria-label="What uses it" className="list-disc ps-5 text-ink">
      {effects.map((effect) => (
        <li key={effect} dir="auto">
          {effect}
        </li>
      ))}
    </ul>
  );
}

function effectsOf({ items, counts, open_runs: open, published }: UsedBy): readonly string[] {
  const teams = items.filter(({ kind }) => kind === "team").map(({ name }) => name);
  const going = GOES.flatMap(({ kind, one, many }) => {
    const count = counts[kind];
    return count === undefined ? [] : [plural(count, one, many)];
  });
  const { mcp, a2a, marketplace } = published;
  const places = [
    ...(mcp === null ? [] : ["MCP"]),
    ...(a2a ? ["A2A"] : []),
    ...(marketplace ? ["the marketplace"] : []),
  ];
  return [
    ...(open === 0 ? [] : [`${plural(open, "run")} in progress: cancelled`]),
    ...(teams.length === 0 ? [] : [`Cannot run until another agent takes its place: ${listed(teams, counts.team)}`]),
    ...(going.length === 0 ? [] : [`Deleted with it: ${going.join(", ")}`]),
    ...(places.length === 0 ? [] : [`No longer found in ${places.join(", ")}`]),
  ];
}

function listed(names: readonly string[], total = 0): string {
  const shown = names.slice(0, 5);
  const more = total - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
