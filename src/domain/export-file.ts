import { z } from "zod";
import { VOICE_TONES, agentCreate, voiceProfile } from "./agent.ts";

/** The format of the files that this service writes. */
export const EXPORT_FORMAT = "muster-export";

/** The formats of the files that it reads; they differ in nothing but this word. */
export const IMPORT_FORMATS = [EXPORT_FORMAT, "crewform-export"] as const;

/** The version of the format, written and read. */
export const EXPORT_VERSION = 1;

/** How the name of something imported ends. */
export const IMPORTED_SUFFIX = " (imported)";

const MAX_NAME = 100;

const { shape } = agentCreate;

/** Files from elsewhere write a tone in small letters. */
const tone = z.preprocess(
  (given) => VOICE_TONES.find((known) => known.toLowerCase() === String(given).toLowerCase()) ?? given,
  voiceProfile.shape.tone,
);

/**
 * An agent in a file. What a later release may add is passed over: the version says what must be
 * understood.
 */
export const exportedAgent = z
  .object({
    name: shape.name,
    description: shape.description,
    model: shape.model,
    fallback_model: shape.fallback_model,
    provider: shape.provider.nullable(),
    system_prompt: shape.system_prompt,
    temperature: shape.temperature,
    max_tokens: shape.max_tokens,
    tags: shape.tags,
    tools: shape.tools,
    voice_profile: z
      .object({ ...voiceProfile.shape, tone })
      .nullable()
      .default(null),
    output_template: shape.output_template,
    marketplace_tags: shape.marketplace_tags,
    config: shape.config,
  })
  .meta({ id: "ExportedAgent" });

/** An agent of a file, checked and with its defaults. */
export type ExportedAgent = z.output<typeof exportedAgent>;

const header = {
  format: z.enum(IMPORT_FORMATS),
  version: z.literal(EXPORT_VERSION),
  exported_at: z.iso.datetime({ offset: true }).optional(),
};

/** The file of one agent. */
export const agentFile = z
  .object({ ...header, type: z.literal("agent"), data: exportedAgent })
  .meta({ id: "AgentExport" });

/** An agent's file, checked. */
export type AgentFile = z.output<typeof agentFile>;

/** A name with the suffix of imported things, cut so that both fit. */
export function importedName(name: string): string {
  const room = MAX_NAME - IMPORTED_SUFFIX.length;
  const cut = name.slice(0, room);
  // A cut between the halves of a surrogate pair would leave one that cannot be stored.
  return (cut.isWellFormed() ? cut : cut.slice(0, -1)) + IMPORTED_SUFFIX;
}
