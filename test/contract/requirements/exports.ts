import type { Requirements } from "./requirement.ts";

/** Export and import of agents and teams. */
export const exports = {
  "exports.file.fields": {
    states: "An export is an object with format, version, type, exported_at and data.",
    source: "contract",
  },
  "exports.file.format": {
    states: "format is muster-export and version is 1.",
    source: "decision",
  },
  "exports.file.types": { states: "type is agent or team.", source: "contract" },
  "exports.file.data": {
    states: "data contains name, model, system_prompt, temperature, max_tokens, tags, tools, voice profile and config.",
    source: "contract",
  },
  "exports.file.excludes": {
    states: "Credentials, task history and custom tools are never exported.",
    source: "contract",
  },
  "exports.import.agent": {
    states: "Importing creates an agent whose name ends in (imported).",
    source: "contract",
  },
  "exports.import.team": {
    states: "Importing a team's file creates the team and all of its member agents.",
    source: "contract",
  },
  "exports.import.foreign-format": {
    states: "A crewform-export file of version 1 can be imported too.",
    source: "decision",
  },
  "exports.import.unknown-format": {
    states: "Another format or version is rejected with a message that lists the known ones.",
    source: "decision",
  },
  "exports.file.linked-content": {
    states: "A saved voice or output template that the agent uses is exported as its content.",
    source: "decision",
  },
  "exports.import.name-fits": {
    states: "A name is cut so that it has at most 100 characters including the suffix.",
    source: "decision",
  },
  "exports.import.later-fields": {
    states: "Unknown fields are ignored, for compatibility with files of later releases.",
    source: "contract",
  },
  "exports.import.refused": {
    states: "An invalid file is rejected with the path of each issue, and nothing is created.",
    source: "goal",
  },
  "exports.access": {
    states: "Roles that read may export; importing needs a member; other workspaces' agents are unknown.",
    source: "decision",
  },
  "exports.round-trip": {
    states: "A file that is imported and exported again is identical except for the name's suffix and the time.",
    source: "goal",
  },
  "exports.file.team-references": {
    states: "In a team's file the config references agents by a ref_id of the file, never by their ids.",
    source: "decision",
  },
  "exports.file.deleted-agent": {
    states: "The export of a team whose config references a deleted agent is 409.",
    source: "decision",
  },
  "exports.import.original-fields": {
    states: "Fields that the original system exports and that have no meaning here are accepted and omitted.",
    source: "decision",
  },
  "exports.import.warnings": {
    states: "Unknown tools and providers and custom tools are omitted, and the response lists them.",
    source: "decision",
  },
  "exports.import.unique-name": {
    states: "An import with an existing name gets a number before its suffix.",
    source: "decision",
  },
  "exports.file.chosen-format": {
    states: "?format= chooses the file's format name.",
    source: "decision",
  },
} as const satisfies Requirements<"exports">;
