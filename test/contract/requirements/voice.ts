import type { Requirements } from "./requirement.ts";

/** Voice profiles. */
export const voice = {
  "voice.tones": {
    states: "A tone is Formal, Casual, Technical, Creative, Empathetic or Custom; anything else is 400.",
    source: "contract",
  },
  "voice.section": {
    states: 'A "## Voice & Tone" section follows the system prompt and comes before the task\'s instructions.',
    source: "contract",
  },
  "voice.section.parts": {
    states: "It has a tone line, the instructions and the format hints.",
    source: "contract",
  },
  "voice.section.absent": {
    states: "Without a voice profile there is no such section.",
    source: "contract",
  },
  "voice.every-call": {
    states: "It is there in every model call of a run, and in every run.",
    source: "contract",
  },
  "voice.every-mode": {
    states: "It is there in standalone tasks, pipeline steps, delegations and collaborations.",
    source: "contract",
  },
  "voice.saved": {
    states: "A profile can be saved under a name and selected by other agents.",
    source: "contract",
  },
  "voice.saved.first": {
    states: "A saved profile that an agent selected goes before the agent's own.",
    source: "decision",
  },
  "voice.saved.edit": {
    states: "A change of a saved profile counts for runs that are dispatched from then on.",
    source: "decision",
  },
  "voice.saved.delete": {
    states: "When a saved profile is deleted, the agents that selected it go back to their own.",
    source: "decision",
  },
  "voice.saved.resource": {
    states: "Saved profiles are listed newest first with cursors, created, read, changed and deleted by members.",
    source: "decision",
  },
  "voice.saved.unknown-400": {
    states: "An agent cannot select a profile that its workspace does not have: 400 naming voice_profile_id.",
    source: "decision",
  },
  "voice.tone.any-case": {
    states: "A tone is accepted in any case, and Custom when it is absent.",
    source: "decision",
  },
} as const satisfies Requirements<"voice">;
