import { z } from "zod";
import { agentCreate } from "./agent.ts";
import { TEAM_MODE_NAMES } from "../teams/team-mode.ts";
import { rejectContradiction } from "./fallback-models.ts";
import { voiceProfile } from "./voice.ts";

/** The format of the files that this service writes. */
export const EXPORT_FORMAT = "muster-export";

/** The formats that can be imported, and exported on request; they differ only in this name. */
export const IMPORT_FORMATS = [EXPORT_FORMAT, "crewform-export"] as const;

/** One of {@link IMPORT_FORMATS}. */
export type FileFormat = (typeof IMPORT_FORMATS)[number];

/** The version of the format, written and read. */
export const EXPORT_VERSION = 1;

/** The suffix of imported names. */
export const IMPORTED_SUFFIX = " (imported)";

/** A team's config has its own limits; this limits what is processed before. */
const MAX_AGENTS = 1_000;

const { shape } = agentCreate;

/** An agent in a file. Unknown fields of later releases are ignored: the version says which fields are required. */
export const exportedAgent = z
  .object({
    name: shape.name,
    description: shape.description,
    model: shape.model,
    fallback_model: shape.fallback_model,
    fallback_models: shape.fallback_models,
    provider: shape.provider.nullable(),
    system_prompt: shape.system_prompt,
    temperature: shape.temperature,
    max_tokens: shape.max_tokens,
    reasoning: shape.reasoning,
    output_schema: shape.output_schema,
    prompt_caching: shape.prompt_caching,
    tags: shape.tags,
    tools: shape.tools,
    voice_profile: z.object(voiceProfile.shape).nullable().default(null),
    output_template: shape.output_template,
    marketplace_tags: shape.marketplace_tags,
    config: shape.config,
    needs_review: shape.needs_review,
  })
  .superRefine(rejectContradiction)
  .meta({ id: "ExportedAgent" });

/** An agent of a file, validated and with defaults. */
export type ExportedAgent = z.output<typeof exportedAgent>;

const header = {
  format: z.enum(IMPORT_FORMATS),
  version: z.literal(EXPORT_VERSION),
  exported_at: z.iso.datetime({ offset: true }).optional(),
};

/**
 * A team in a file, with its agents. The config references them by `ref_id`, which is valid only in the file. It is
 * validated by the rules of its mode when the references are resolved.
 */
export const exportedTeam = z
  .object({
    name: shape.name,
    description: shape.description,
    mode: z.enum(TEAM_MODE_NAMES),
    config: z.record(z.string(), z.unknown()),
    agents: z.array(z.object({ ref_id: z.string().min(1).max(100), agent: exportedAgent })).max(MAX_AGENTS),
  })
  .meta({ id: "ExportedTeam" });

/** A team of a file, validated except for its config. */
export type ExportedTeam = z.output<typeof exportedTeam>;

/** The file of one agent. */
export const agentFile = z
  .object({ ...header, type: z.literal("agent"), data: exportedAgent })
  .meta({ id: "AgentExport" });

/** The file of a team and its agents. */
export const teamFile = z.object({ ...header, type: z.literal("team"), data: exportedTeam }).meta({ id: "TeamExport" });

/** Any export file. */
export const exportFile = z.discriminatedUnion("type", [agentFile, teamFile]);

/** Any export file, validated. */
export type ExportFile = z.output<typeof exportFile>;
