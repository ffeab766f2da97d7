import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { fetchJson } from "../../api/fetch-json.ts";
import { shortId } from "../../lib/format.ts";
import { stringifySearch } from "../../lib/search.ts";

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
/** So many of a kind are a list to choose from; more are searched. */
const MAX_LISTED = 50;

/** Those of a kind that fit a text, newest first. */
export interface FoundNames {
  readonly names: readonly Named[];
  /** There are more of them than a list shows. */
  readonly hasMore: boolean;
}

/** The agents or teams whose name has the text; all when it is empty. Undefined until they are there. */
export function useNames(kind: PickedKind, q = "", isEnabled = true): FoundNames | undefined {
  const { data } = useQuery({
    queryKey: [`${kind}s`, "names", q],
    queryFn: () => fetchJson<readonly Named[]>(listPath(kind, { q: q === "" ? undefined : q, limit: MAX_LISTED + 1 })),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  });
  return data && { names: data.slice(0, MAX_LISTED), hasMore: data.length > MAX_LISTED };
}

/** The name of an agent or team, read by itself when it is not among the newest; the start of its id until then. */
export function useName({ kind, id }: Picked = NOTHING): string {
  const listed = useNames(kind, "", id !== "");
  const known = listed?.names.find((each) => each.id === id);
  const { data } = useQuery({
    queryKey: [`${kind}s`, "name", id],
    queryFn: () => fetchJson<Named>(listPath(kind, { id })),
    enabled: id !== "" && listed !== undefined && known === undefined,
  });
  return (known ?? data)?.name ?? shortId(id);
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

function listPath(kind: PickedKind, query: Readonly<Record<string, unknown>>): string {
  return `/functions/v1/api-${kind}s${stringifySearch(query)}`;
}
