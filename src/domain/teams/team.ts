import { z } from "zod";
import { displayName } from "../display-name.ts";
import { givenId } from "../given-id.ts";
import { describeIssue } from "../errors.ts";
import { issuesOf, invalid } from "../invalid.ts";
import { plainMessage } from "../plain-messages.ts";
import { TEAM_CONFIGS, givenConfig } from "./team-config.ts";
import type { TeamConfig } from "./team-config.ts";
import { TEAM_MODE_NAMES } from "./team-mode.ts";
import type { TeamModeName } from "./team-mode.ts";

const mode = z.enum(TEAM_MODE_NAMES);

const fields = z.strictObject({
  name: displayName(100),
  description: z.string().max(10_000),
  output_route_ids: z.array(givenId).nullable().describe("null: every active route; []: none; a list: only those."),
  is_marketplace: z.boolean(),
});

const creation = fields.extend({
  description: fields.shape.description.default(""),
  output_route_ids: fields.shape.output_route_ids.default(null),
  is_marketplace: z.boolean().default(false),
});

/** The body of POST /api-teams. */
export const teamCreate = z
  .discriminatedUnion("mode", [
    creation.extend({ mode: z.literal("pipeline"), config: givenConfig("pipeline", TEAM_CONFIGS.pipeline) }),
    creation.extend({
      mode: z.literal("orchestrator"),
      config: givenConfig("orchestrator", TEAM_CONFIGS.orchestrator),
    }),
    creation.extend({
      mode: z.literal("collaboration"),
      config: givenConfig("collaboration", TEAM_CONFIGS.collaboration),
    }),
  ])
  .describe("A team of agents; without a config it is a draft that cannot run yet.");

/** A team to create, validated and with defaults. */
export type TeamCreate = z.output<typeof teamCreate>;

/** The body of PATCH /api-teams. Its config is validated by the resulting mode: {@link readTeamConfig}. */
export const teamPatch = fields
  .extend({
    mode,
    config: z.record(z.string(), z.unknown()).nullable().describe("The whole config, by the rules of the mode."),
  })
  .partial()
  .describe("The fields of a team to change.");

/** Changes to a team; the config is not validated yet. */
export type TeamPatch = z.output<typeof teamPatch>;

/** Fields that a client may send back from a record; they are ignored. */
export const TEAM_READ_ONLY = ["id", "workspace_id", "members", "created_by", "created_at", "updated_at"] as const;

/** The mode and config of a team. */
export interface TeamDesign {
  readonly mode: TeamModeName;
  readonly config: unknown;
}

/** Says why a team cannot run yet; undefined for a team with a usable config. */
export function whyDraft({ mode: name, config }: TeamDesign): string | undefined {
  const parsed = TEAM_CONFIGS[name].safeParse(config, { error: plainMessage });
  if (parsed.success) return undefined;
  const issues = issuesOf(parsed.error, ["config"]).map(describeIssue);
  return `The team is a draft that cannot run yet (${issues.join("; ")}). Complete its config first.`;
}

/** Validates a config by the rules of its mode. @throws AppError `bad_request` with every issue and its path. */
export function readTeamConfig({ mode: name, config }: TeamDesign): TeamConfig {
  const parsed = TEAM_CONFIGS[name].safeParse(config, { error: plainMessage });
  if (parsed.success) return parsed.data;
  throw invalid("body", issuesOf(parsed.error, ["config"]));
}
