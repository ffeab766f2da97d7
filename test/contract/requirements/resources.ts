import type { Requirements } from "./requirement.ts";

/** A workspace as files: pull, diff and apply. */
export const resources = {
  "resources.pull": {
    states: "A workspace is described by documents with names in place of ids, in a stable order, without defaults.",
    source: "goal",
  },
  "resources.round-trip": {
    states:
      "A workspace with every kind of resource, applied to an empty one, differs from it in nothing, and is described the same.",
    source: "goal",
  },
  "resources.secrets.pull": { states: "No description contains a secret: it names a variable.", source: "goal" },
  "resources.secrets.keep": {
    states: "A secret whose variable has no value stays as it is; one with another value is changed.",
    source: "goal",
  },
  "resources.secrets.new": {
    states: "A secret of a new record whose variable has no value, or one written out, is rejected with its path.",
    source: "goal",
  },
  "resources.atomic": {
    states: "All mistakes of the documents are rejected together, with their paths, and nothing is changed.",
    source: "goal",
  },
  "resources.versions": { states: "A change of an agent makes one version, and an equal one none.", source: "goal" },
  "resources.dry-run": { states: "A dry run tries everything and changes nothing.", source: "goal" },
  "resources.prune": {
    states:
      "Pruning deletes records without a document, only of the described kinds, and says who uses them and what goes with them.",
    source: "goal",
  },
  "resources.changed": {
    states: "An apply after a change of the workspace since the comparison is rejected.",
    source: "goal",
  },
  "resources.lock": { states: "One apply changes a workspace at a time; another is rejected.", source: "goal" },
  "resources.repeat": {
    states: "An apply that is repeated with its Idempotency-Key gets the first response again.",
    source: "decision",
  },
  "resources.killed": {
    states: "An apply whose process is killed has changed nothing, and can be repeated.",
    source: "goal",
  },
  "resources.golden": {
    states: "Golden cases and gates are described on demand; a case that has recorded the same keeps its id.",
    source: "goal",
  },
  "resources.names": {
    states: "Records of a kind that share a name are rejected with their ids; so are documents.",
    source: "decision",
  },
  "resources.roles": {
    states: "Viewers compare, without secrets; only admins apply.",
    source: "decision",
  },
  "resources.foreign": {
    states: "Another version of the format, an unknown kind and one that is not described are rejected.",
    source: "goal",
  },
  "resources.schemas": {
    states: "A description comes with a JSON Schema of each kind, which accepts its documents.",
    source: "goal",
  },
  "resources.cli": {
    states: "muster pull, diff and apply write, compare and apply a folder; diff exits with 2 if they differ.",
    source: "goal",
  },
  "resources.cli.files": {
    states: "A pull keeps files that say the same, the names of their variables, and files without a record.",
    source: "decision",
  },
  "resources.cli.mistakes": {
    states: "Each mistake of a folder is printed with its file and line, and as JSON for programs.",
    source: "goal",
  },
  "resources.cli.yaml": {
    states: "Anchors, tags, tabs, duplicate fields, several documents and large files are rejected in a sentence.",
    source: "goal",
  },
} as const satisfies Requirements<"resources">;
