import type { Requirements } from "./requirement.ts";

/** Tenant isolation by the database itself. */
export const tenancy = {
  "tenancy.rls.policies": {
    states: "Every table with a workspace has row-level security by policy.",
    source: "decision",
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
    states: "The database refuses to write a row into another workspace.",
    source: "goal",
  },
  "tenancy.rls.no-cross-references": {
    states: "No row can refer to a row of another workspace.",
    source: "goal",
  },
  "tenancy.rls.embedded-too": {
    states: "The same policies hold on the embedded and on an external database.",
    source: "decision",
  },
  "tenancy.engine-schema-closed": {
    states:
      "The request role cannot read or change the processes of the engine, its keeper and the settings of the instance.",
    source: "goal",
  },
  "tenancy.surfaces.foreign-looks-unknown": {
    states: "On every surface what another workspace has is answered as what nobody has, and none of its rows changes.",
    source: "goal",
  },
  "tenancy.surfaces.nothing-revealed": {
    states: "No answer shows anything of another workspace that does not offer it.",
    source: "goal",
  },
  "tenancy.requests.own-role": {
    states: "Requests log in as a role that is a member of the roles of tenants and of nothing else.",
    source: "decision",
  },
  "tenancy.requests.plain-owner": {
    states: "That role is created by an owner that is no superuser but has CREATEROLE.",
    source: "decision",
  },
  "tenancy.requests.weaker": {
    states: "Where it cannot be created, a warning names DATABASE_REQUEST_URL, whose role is checked.",
    source: "decision",
  },
  "tenancy.requests.public": {
    states: "PUBLIC may neither execute functions of triggers nor create temporary tables.",
    source: "decision",
  },
  "tenancy.ids-tell-nothing": {
    states:
      "An id of another workspace's row is answered like an unknown one wherever a client can send an id for something new: same status, body and headers.",
    source: "goal",
  },
} as const satisfies Requirements<"tenancy">;
