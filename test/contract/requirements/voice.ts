import type { Requirements } from "./requirement.ts";

/** Voice profiles. */
export const voice = {
  "voice.tones": {
    states: "A tone is Formal, Casual, Technical, Creative, Empathetic or Custom; any other value is 400.",
    source: "contract",
  },
  "voice.section": {
    states: 'A "## Voice & Tone" section follows the system prompt and comes before the task\'s instructions.',
    source: "contract",
  },
  "voice.section.parts": {
    states: "The section has a tone line, the instructions and the format hints.",
    source: "contract",
  },
  "voice.section.absent": {
    states: "Without a voice profile there is no such section.",
    source: "contract",
  },
  "voice.every-call": {
    states: "The section is in every model call of a run, and in every run.",
    source: "contract",
  },
  "voice.every-mode": {
    states: "The section is in standalone tasks, pipeline steps, delegations and collaborations.",
    source: "contract",
  },
  "voice.saved": {
    states: "A profile can be saved under a name and selected by other agents.",
    source: "contract",
  },
  "voice.saved.first": {
    states: "A saved profile that an agent selects takes precedence over the agent's own.",
    source: "decision",
  },
  "voice.saved.edit": {
    states: "A change of a saved profile applies to runs that are dispatched later.",
    source: "decision",
  },
  "voice.saved.delete": {
    states: "When a saved profile is deleted, the agents that selected it use their own again.",
    source: "decision",
  },
  "voice.saved.resource": {
    states: "Saved profiles are listed newest first with cursors, created, read, changed and deleted by members.",
    source: "decision",
  },
  "voice.saved.unknown-400": {
    states: "Selecting a profile that the workspace does not have is 400; the error names voice_profile_id.",
    source: "decision",
  },
  "voice.tone.any-case": {
    states: "A tone is accepted in any case, and Custom when it is absent.",
    source: "decision",
  },
} as const satisfies Requirements<"voice">;
