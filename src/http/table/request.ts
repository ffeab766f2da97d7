import { requestWorkspace } from "../request-workspace.ts";
import type { HttpContext, HttpServices, HttpWorkspace } from "../context.ts";
import { TableError } from "./errors.ts";
import { parseAccept } from "./parse/accept.ts";
import type { AcceptedFormat } from "./parse/accept.ts";
import { parsePrefer } from "./parse/prefer.ts";
import type { Preferences } from "./parse/prefer.ts";
import { parseQuery } from "./parse/query.ts";
import type { ParsedQuery } from "./parse/query.ts";
import { narrowByHeader } from "./parse/range.ts";
import { planList, planRead } from "./plan/read.ts";
import type { ReadPlan } from "./plan/read.ts";
import { findTable } from "./tables.ts";
import type { Table } from "./tables.ts";

/** A parsed and planned request for a table. */
export interface TableRequest {
  readonly c: HttpContext;
  readonly workspace: HttpWorkspace;
  readonly table: Table;
  readonly query: ParsedQuery;
  readonly plan: ReadPlan;
  readonly prefer: Preferences;
  readonly accepted: AcceptedFormat;
}

/** The only schema; Supabase's clients send it in every request. */
const SCHEMA = "public";

/** Parses and plans a request. @throws TableError for an invalid one. */
export function tableRequest(c: HttpContext, services: HttpServices): TableRequest {
  const table = findTable(c.req.param("table") ?? "");
  const prefer = parsePrefer(c.req.header("Prefer"));
  const accepted = parseAccept(c.req.header("Accept"));
  const query = parseQuery(new URL(c.req.url).searchParams);
  const reads = c.req.method === "GET" || c.req.method === "HEAD";
  const plan = reads ? planList(table, query) : planRead(table, query);
  const range = reads ? narrowByHeader(plan.range, c.req.header("Range")) : plan.range;
  return {
    c,
    workspace: requestWorkspace(services, c, c.get("principal")),
    table,
    query,
    prefer,
    accepted,
    plan: { ...plan, range },
  };
}

/** Checks that a request uses the only schema. @throws TableError PGRST106. */
export function checkProfile(c: HttpContext): void {
  const reads = c.req.method === "GET" || c.req.method === "HEAD";
  const profile = c.req.header(reads ? "Accept-Profile" : "Content-Profile") ?? SCHEMA;
  if (profile === SCHEMA) return;
  throw new TableError(406, "PGRST106", {
    message: `Invalid schema: ${profile}`,
    hint: `Only the following schemas are exposed: ${SCHEMA}`,
  });
}
