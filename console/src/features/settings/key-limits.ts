import { textIn } from "../../forms/use-submit.ts";
import { plural } from "../../lib/format.ts";
import type { ApiKey } from "./queries.ts";

/** What a key can be limited to. */
export type Limits = Pick<ApiKey, "surfaces" | "agents" | "teams" | "networks">;

type Kind = ApiKey["kind"];
type Surface = NonNullable<ApiKey["surfaces"]>[number];

/** What the surfaces are called. */
export const SURFACE_LABELS = {
  rest: "REST API",
  openai: "OpenAI-compatible endpoint",
  "ag-ui": "AG-UI",
  a2a: "A2A",
  mcp: "MCP server",
  table: "Table API",
} as const satisfies Record<Surface, string>;

const OPENED = {
  envelope: ["rest", "openai", "ag-ui"],
  table: ["table"],
  mcp: ["mcp"],
  a2a: ["ag-ui", "a2a"],
  "ag-ui": ["ag-ui", "a2a"],
} as const satisfies Record<Kind, readonly Surface[]>;

/** The surfaces that a kind of key opens. */
export function surfacesOf(kind: Kind): readonly Surface[] {
  return OPENED[kind];
}

/** The limits of a key as the form has them; nothing chosen is no limit. */
export function limitsIn(kind: Kind, values: FormData) {
  const chosen = values.getAll("surfaces");
  return {
    surfaces: orNull(surfacesOf(kind).filter((surface) => chosen.includes(surface))),
    agents: orNull(textsIn(values, "agents")),
    teams: orNull(textsIn(values, "teams")),
    networks: networksIn(values),
  };
}

/** The networks as the form has them, one in each line. */
export function networksIn(values: FormData) {
  const lines = textIn(values, "networks").split(/[\s,]+/);
  return orNull(lines.filter((line) => line !== ""));
}

/** The limits in one line, such as `Only A2A · 2 agents`; undefined for none. */
export function limitsLine({ surfaces, agents, teams, networks }: Limits) {
  const parts = [
    surfaces?.map((surface) => SURFACE_LABELS[surface]).join(", "),
    agents === null ? undefined : plural(agents.length, "agent"),
    teams === null ? undefined : plural(teams.length, "team"),
    networks === null ? undefined : plural(networks.length, "network"),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : `Only ${parts.join(" · ")}`;
}

function textsIn(values: FormData, name: string): readonly string[] {
  return values.getAll(name).filter((value) => typeof value === "string");
}

function orNull<T>(values: readonly T[]): readonly T[] | null {
  return values.length === 0 ? null : values;
}
