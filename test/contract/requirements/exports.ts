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
    states: "data holds name, model, system_prompt, temperature, max_tokens, tags, tools, voice profile and config.",
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
    states: "Another format or version is rejected with a message that names the known ones.",
    source: "decision",
  },
  "exports.file.linked-content": {
    states: "A saved voice or output template that the agent uses is exported as its content.",
    source: "decision",
  },
  "exports.import.name-fits": {
    states: "A name is cut so that it is no longer than 100 characters with the suffix.",
    source: "decision",
  },
  "exports.import.later-fields": {
    states: "Fields that are not known are passed over, for the sake of files of later releases.",
    source: "contract",
  },
  "exports.import.refused": {
    states: "A bad file is rejected with the path of each fault, and nothing is made.",
    source: "goal",
  },
  "exports.access": {
    states: "Whoever may read may export; importing needs a member; other workspaces' agents do not exist.",
    source: "decision",
  },
  "exports.round-trip": {
    states: "What is exported, imported and exported again is the same but for the name's suffix and the time.",
    source: "goal",
  },
  "exports.file.team-references": {
    states: "In a team's file the config names agents by a ref_id of the file, never by their ids.",
    source: "decision",
  },
  "exports.file.deleted-agent": {
    states: "A team whose config names a deleted agent is not exported: 409.",
    source: "decision",
  },
  "exports.import.original-fields": {
    states: "Fields that the original system exports and that mean nothing here are known and left out.",
    source: "decision",
  },
  "exports.import.warnings": {
    states: "Unknown tools and providers and custom tools are left out, and the answer says so.",
    source: "decision",
  },
  "exports.import.unique-name": {
    states: "An import whose name exists gets a number before its suffix.",
    source: "decision",
  },
  "exports.file.chosen-format": {
    states: "?format= chooses the word by which the file calls its format.",
    source: "decision",
  },
} as const satisfies Requirements<"exports">;
