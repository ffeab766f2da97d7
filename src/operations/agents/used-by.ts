import { notFound } from "#domain/errors.ts";
import type { PlaceKind, UsagePlace } from "#domain/agents/usage-place.ts";
import { readUsedBy, readUsedByFacts } from "#db/queries/agents/used-by.ts";
import { listMcpAgents } from "#db/queries/agents/agents.ts";
import { toolsOf } from "#domain/tools/mcp-tools.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import type { Workspace } from "../workspace.ts";

/** The maximum number of records of one kind in a response. */
const LIMIT = 50;

/** The records that reference an agent or a team, and its published endpoints. */
export interface UsedBy {
  readonly items: readonly UsagePlace[];
  readonly counts: Partial<Record<PlaceKind, number>>;
  readonly open_runs: number;
  readonly published: {
    readonly marketplace: boolean;
    readonly installs: number;
    /** The name of its MCP tool; null when it is not published. */
    readonly mcp: string | null;
    readonly a2a: boolean;
  };
}

/** Reads the records that reference an agent or a team. @throws AppError `not_found`. */
export async function findUsedBy(
  workspace: Workspace,
  { id, what }: { readonly id: string; readonly what: "Agent" | "Team" },
): Promise<UsedBy> {
  const [places, facts] = await workspace.transaction((tx) =>
    allSettledOrThrow([readUsedBy(tx, id, LIMIT), readUsedByFacts(tx, id)]),
  );
  if (facts === undefined || facts.is_team !== (what === "Team")) throw notFound(what);
  const tools = facts.is_mcp_published ? toolsOf(await listMcpAgents(workspace)) : [];
  return {
    items: places.map(({ kind, id: usedBy, name, detail, team_mode, is_active }) => {
      return { kind, id: usedBy, name, detail, team_mode, is_active };
    }),
    counts: Object.fromEntries(places.map(({ kind, total }) => [kind, total])),
    open_runs: facts.open_runs,
    published: {
      marketplace: facts.is_marketplace,
      installs: facts.install_count,
      mcp: tools.find(({ agent }) => agent.id === id)?.name ?? null,
      a2a: facts.is_a2a_published,
    },
  };
}
