import type { Requirements } from "./requirement.ts";

const LATER = "voice profiles are not applied yet";

/** Voice profiles. */
export const voice = {
  "voice.tones": {
    states: "A tone is Formal, Casual, Technical, Creative, Empathetic or Custom; anything else is 400.",
    source: "contract",
  },
  "voice.section": {
    states: 'A "## Voice & Tone" section follows the system prompt and comes before the task\'s instructions.',
    source: "contract",
    open: LATER,
  },
  "voice.section.parts": {
    states: "It has a tone line, the instructions and the format hints.",
    source: "contract",
    open: LATER,
  },
  "voice.section.absent": {
    states: "Without a voice profile there is no such section.",
    source: "contract",
    open: LATER,
  },
  "voice.every-mode": {
    states: "It is there in standalone tasks, pipeline steps, delegations and collaborations.",
    source: "contract",
    open: LATER,
  },
  "voice.saved": {
    states: "A profile can be saved under a name and selected by other agents.",
    source: "contract",
    open: LATER,
  },
} as const satisfies Requirements<"voice">;
