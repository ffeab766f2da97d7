import type { Requirements } from "./requirement.ts";

/** What keeps the code in shape. */
export const workshop = {
  "workshop.layers": {
    states: "An import from one layer to another that the table of layers does not list fails the tests.",
    source: "goal",
  },
  "workshop.rooms": {
    states: "An import from a room of a layer to one above it fails the tests, unless it is listed as known.",
    source: "goal",
  },
  "workshop.row-types": {
    states: "The row type of a query compiles only when it fits PostgreSQL's description of the statement's rows.",
    source: "goal",
  },
  "workshop.console-layer": {
    states:
      "The console imports only packages, its own files, the TypeScript client, types of the domain, and functions on text (`lib/text`).",
    source: "goal",
  },
  "workshop.cycles": {
    states: "No file imports itself through other files, also not for types.",
    source: "goal",
  },
  "workshop.subjects": {
    states: "Inside a layer, folders are subjects, or parts that the architecture test lists.",
    source: "goal",
  },
  "workshop.sql": {
    states: "SQL is written in db and in the table API only.",
    source: "goal",
  },
  "workshop.registries": {
    states: "A tool, provider or endpoint is found by its file; an outdated registry fails the check.",
    source: "goal",
  },
  "workshop.manifest": {
    states: "A requirement that no test proves and that is not marked open fails the tests.",
    source: "goal",
  },
  "workshop.bill-of-materials": {
    states: "A bill of materials lists the service's packages; the console links to the licences of those in it.",
    source: "goal",
  },
  "workshop.kubernetes": {
    states: "The manifests for Kubernetes satisfy its schemas, and a process starts and stops with their settings.",
    source: "goal",
  },
  "workshop.proxy": {
    states: "The proxy redirects to https, sends HSTS, and limits requests without a key.",
    source: "goal",
  },
  "workshop.workflows": {
    states:
      "The workflows of checks and releases are valid, pin each action by its commit, and publish after the checks.",
    source: "goal",
  },
  "workshop.postgres-major": {
    states: "A version that brings another major version of the embedded PostgreSQL has no migration of its own.",
    source: "decision",
  },
  "workshop.deploy": {
    states: "The deployment files reference existing files, and fit the defaults of the settings.",
    source: "goal",
  },
} as const satisfies Requirements<"workshop">;
