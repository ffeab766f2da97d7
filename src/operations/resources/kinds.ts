import type { ResourceName } from "#domain/resources/resource.ts";
import { RESOURCES } from "#domain/resources/resource.ts";
import { agents } from "./kinds/agents.ts";
import { alerts } from "./kinds/alerts.ts";
import { approvals } from "./kinds/approvals.ts";
import { budgets } from "./kinds/budgets.ts";
import { mcpServers } from "./kinds/mcp-servers.ts";
import { routes } from "./kinds/routes.ts";
import { goldenSets } from "./kinds/golden-sets.ts";
import { knowledgeBases, templates, voices } from "./kinds/saved.ts";
import { schedules } from "./kinds/schedules.ts";
import { teams } from "./kinds/teams.ts";
import { tools } from "./kinds/tools.ts";
import { triggers } from "./kinds/triggers.ts";
import type { ResourceKind } from "./resource-kind.ts";

const KIND_OF = {
  knowledge_base: knowledgeBases,
  voice_profile: voices,
  output_template: templates,
  tool: tools,
  mcp_server: mcpServers,
  route: routes,
  agent: agents,
  team: teams,
  approvals,
  schedule: schedules,
  trigger: triggers,
  budget: budgets,
  alert: alerts,
  golden_set: goldenSets,
} satisfies Readonly<Record<ResourceName, ResourceKind>>;

/** All kinds, in the order in which they are applied: the documents of a kind name only those of kinds before it. */
export const RESOURCE_KINDS: readonly ResourceKind[] = RESOURCES.map((resource) => KIND_OF[resource]);

/** Returns a kind by its name. */
export function kindOf(resource: ResourceName): ResourceKind {
  return KIND_OF[resource];
}
