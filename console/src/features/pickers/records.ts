import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { getAgent, listAgents } from "#client/gen/operations/agents.ts";
import { getTeam, listTeams } from "#client/gen/operations/teams.ts";
import { call } from "../../api/client.ts";
import { Problem } from "../../api/problem.ts";
import { shortId } from "../../lib/format.ts";
import { given } from "../../lib/given.ts";

/** What a picker can offer. */
export type PickedKind = "agent" | "team";

/** What is chosen in a picker. */
export interface Picked {
  readonly kind: PickedKind;
  readonly id: string;
}

interface Named {
  readonly id: string;
  readonly name: string;
}

const NOTHING: Picked = { kind: "agent", id: "" };
/** Up to this many of a kind are a list to choose from; more need a search. */
const MAX_LISTED = 50;

/** The matches of a text among the records of a kind, newest first. */
export interface FoundNames {
  readonly names: readonly Named[];
  /** There are more of them than a list shows. */
  readonly hasMore: boolean;
  /** They are those of an earlier text; those of this one are being fetched. */
  readonly isStale: boolean;
}

/** The agents or teams whose name contains the text; all when it is empty. Undefined until they are loaded. */
export function useNames(kind: PickedKind, q = "", isEnabled = true): FoundNames | undefined {
  const { data, isPlaceholderData: isStale } = useQuery({
    queryKey: [`${kind}s`, "names", q],
    queryFn: () => listOf(kind, given({ q: q === "" ? undefined : q, limit: MAX_LISTED + 1 })),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  });
  return data && { names: data.slice(0, MAX_LISTED), hasMore: data.length > MAX_LISTED, isStale };
}

/** The name of an agent or team, as {@link useNamesOf} gives it; empty without an id. */
export function useName({ kind, id }: Picked = NOTHING): string {
  const nameOf = useNamesOf(kind, id === "" ? [] : [id]);
  return id === "" ? "" : nameOf(id);
}

/**
 * The names of agents or teams by their ids. Names that are not among the newest are read individually.
 * @returns a function that returns the name, an ellipsis until it is loaded, or the start of the id if there is none,
 * with the word that it was deleted
 */
export function useNamesOf(kind: PickedKind, ids: readonly string[]): (id: string) => string {
  const listed = useNames(kind, "", ids.length > 0);
  const isListed = (id: string) => listed?.names.some((each) => each.id === id) !== false;
  const others = ids.filter((id) => !isListed(id));
  const read = useQueries({
    queries: others.map((id) => ({
      queryKey: [`${kind}s`, "name", id],
      queryFn: () => (kind === "agent" ? call(getAgent)({ id }) : call(getTeam)({ id })),
    })),
  });
  const known = [...(listed?.names ?? []), ...read.flatMap(({ data }) => data ?? [])];
  const errors = new Map(others.map((id, index) => [id, read[index]?.error]));
  return (id) => known.find((each) => each.id === id)?.name ?? namelessLabel(kind, id, errors.get(id));
}

function namelessLabel(kind: PickedKind, id: string, error: Error | null | undefined): string {
  if (error === null || error === undefined) return "…";
  return error instanceof Problem && error.status === 404 ? `Deleted ${kind} ${shortId(id)}` : shortId(id);
}

/** The value of a choice in a picker: its kind and id. */
export function pickedValue(kind: PickedKind, id: string): string {
  return `${kind}:${id}`;
}

/** Reads the value of a picker; undefined for none. */
export function readPicked(value: string): Picked | undefined {
  const [kind, id] = value.split(":");
  return (kind === "agent" || kind === "team") && id !== undefined ? { kind, id } : undefined;
}

async function listOf(kind: PickedKind, query: { readonly q?: string; readonly limit: number }) {
  const { items }: { readonly items: readonly Named[] } = await (kind === "agent"
    ? call(listAgents)(query)
    : call(listTeams)(query));
  return items;
}
