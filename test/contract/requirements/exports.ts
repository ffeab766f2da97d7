import type { Requirements } from "./requirement.ts";

const LATER = "export and import are not built yet";

/** Export and import of agents and teams. */
export const exports = {
  "exports.file.fields": {
    states: "An export is an object with format, version, type, exported_at and data.",
    source: "contract",
    open: LATER,
  },
  "exports.file.format": {
    states: "format is muster-export and version is 1.",
    source: "decision",
    open: LATER,
  },
  "exports.file.types": { states: "type is agent or team.", source: "contract", open: LATER },
  "exports.file.data": {
    states: "data holds name, model, system_prompt, temperature, max_tokens, tags, tools, voice profile and config.",
    source: "contract",
    open: LATER,
  },
  "exports.file.excludes": {
    states: "Credentials, task history and custom tools are never exported.",
    source: "contract",
    open: LATER,
  },
  "exports.import.agent": {
    states: "Importing creates an agent whose name ends in (imported).",
    source: "contract",
    open: LATER,
  },
  "exports.import.team": {
    states: "Importing a team's file creates the team and all of its member agents.",
    source: "contract",
    open: LATER,
  },
  "exports.import.foreign-format": {
    states: "A crewform-export file of version 1 can be imported too.",
    source: "decision",
    open: LATER,
  },
  "exports.import.unknown-format": {
    states: "Another format or version is refused with a message that names the known ones.",
    source: "decision",
    open: LATER,
  },
} as const satisfies Requirements<"exports">;
