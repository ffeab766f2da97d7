import type { Requirements } from "./requirement.ts";

/** Tenant isolation by the database itself. */
export const tenancy = {
  "tenancy.rls.partitions": {
    states: "Requests reach the rows of a partition only through its table, whose policies count.",
    source: "decision",
  },
  "tenancy.rls.policies": {
    states: "Every table with a workspace has a row-level security policy.",
    source: "decision",
  },
  "tenancy.statements.indexed": {
    states: "Each statement of a workspace has an index for what it asks: none reads a table of all workspaces.",
    source: "goal",
  },
  "tenancy.rls.reach": {
    states: "The database itself shows a key that is limited to agents and teams only what belongs to them.",
    source: "goal",
  },
  "tenancy.rls.role": {
    states: "Requests run as a database role that owns nothing and cannot bypass row-level security.",
    source: "decision",
  },
  "tenancy.rls.per-transaction": {
    states: "The workspace is set per transaction and never leaks into the next one on the connection.",
    source: "decision",
  },
  "tenancy.rls.no-workspace-no-rows": {
    states: "Without a workspace set, the role sees no row.",
    source: "goal",
  },
  "tenancy.rls.foreign-write-refused": {
    states: "The database rejects writing a row into another workspace.",
    source: "goal",
  },
  "tenancy.rls.no-cross-references": {
    states: "No row can refer to a row of another workspace.",
    source: "goal",
  },
  "tenancy.rls.embedded-too": {
    states: "The same policies apply to the embedded and to an external database.",
    source: "decision",
  },
  "tenancy.engine-schema-closed": {
    states: "The request role cannot read or change the engine's processes, its keeper and the instance's settings.",
    source: "goal",
  },
  "tenancy.surfaces.foreign-looks-unknown": {
    states: "On every surface another workspace's ids get the response of unknown ids, and none of its rows changes.",
    source: "goal",
  },
  "tenancy.surfaces.nothing-revealed": {
    states: "No response reveals data of another workspace that does not publish it.",
    source: "goal",
  },
  "tenancy.requests.own-role": {
    states: "Requests log in as a role that is a member of the tenants' roles and of no others.",
    source: "decision",
  },
  "tenancy.requests.plain-owner": {
    states: "An owner that has CREATEROLE and is not a superuser creates that role.",
    source: "decision",
  },
  "tenancy.requests.weaker": {
    states: "Where the role cannot be created, a warning names DATABASE_REQUEST_URL, whose role is checked.",
    source: "decision",
  },
  "tenancy.requests.public": {
    states: "PUBLIC may neither execute trigger functions nor create temporary tables.",
    source: "decision",
  },
  "tenancy.ids-tell-nothing": {
    states:
      "In requests that create something, an id of another workspace's row gets the response of an unknown id: same status, body and headers.",
    source: "goal",
  },
} as const satisfies Requirements<"tenancy">;
