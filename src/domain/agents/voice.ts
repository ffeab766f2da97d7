import { z } from "zod";
import { anyCase } from "../any-case.ts";
import { displayName } from "../display-name.ts";

/** The base tones of a voice profile. */
export const VOICE_TONES = ["Formal", "Casual", "Technical", "Creative", "Empathetic", "Custom"] as const;

const tone = anyCase(VOICE_TONES);

/** How an agent speaks; rendered as a section of its system prompt. */
export const voiceProfile = z.strictObject({
  tone: tone.default("Custom").describe("Case is ignored. Default: Custom."),
  custom_instructions: z.string().max(10_000).optional(),
  output_format_hints: z.string().max(10_000).optional(),
});

/** How an agent speaks, validated. */
export type VoiceProfile = z.output<typeof voiceProfile>;

const name = displayName(100).describe("The display name; need not be unique.");

/** The body of POST /console/api/voice-profiles. */
export const savedVoiceCreate = voiceProfile
  .extend({
    name,
    custom_instructions: z.string().max(10_000).default(""),
    output_format_hints: z.string().max(10_000).default(""),
  })
  .describe("A voice profile that agents select by its id.");

/** The body of PATCH /console/api/voice-profiles/{id}. */
export const savedVoicePatch = voiceProfile
  .extend({ name, tone })
  .partial()
  .describe("The fields of a saved voice profile to change.");

/**
 * Returns the section of a system prompt for the voice: a heading, the tone, the instructions and the format hints, in
 * this order, separated by empty lines. Blank parts are omitted.
 */
export function voiceSection({ tone, custom_instructions = "", output_format_hints = "" }: VoiceProfile): string {
  const instructions = custom_instructions.trim();
  const hints = output_format_hints.trim();
  return [
    "## Voice & Tone",
    `Tone: ${tone}`,
    ...(instructions === "" ? [] : [instructions]),
    ...(hints === "" ? [] : [`Output format: ${hints}`]),
  ].join("\n\n");
}
