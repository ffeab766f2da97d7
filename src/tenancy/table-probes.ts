import { FOREIGN_KEYS } from "#http/table/foreign-keys.ts";
import type { ForeignKey } from "#http/table/foreign-keys.ts";
import { TABLES } from "#http/table/tables.ts";
import type { Table } from "#http/table/tables.ts";
import type { Probe } from "./probe-shapes.ts";

/** A row that may be made, for each table in which rows can be handmade. */
const ROWS: Readonly<Record<string, object>> = {
  agents: { name: "X", model: "demo" },
  tasks: { title: "X" },
  teams: { name: "X", mode: "pipeline" },
  team_runs: { input_task: "X" },
  voice_profiles: { name: "X", tone: "Formal" },
  output_templates: { name: "X", type: "HTML", body: "x" },
};

/** Requests to every table of the table API that name rows, or what rows refer to. */
export function tableProbes(): readonly Probe[] {
  return [...TABLES.values()].flatMap((table) => [...byId(table), ...byWorkspace(table), ...byReference(table)]);
}

function byId({ name }: Table): readonly Probe[] {
  const one = (id: string | undefined) => `/rest/v1/${name}?id=eq.${id}`;
  const body = ROWS[name] ?? {};
  return [
    (named) => ({ method: "GET", at: one(named[name]) }),
    (named) => ({ method: "GET", at: one(named[name]), headers: { accept: "application/vnd.pgrst.object+json" } }),
    (named) => ({ method: "HEAD", at: one(named[name]), headers: { prefer: "count=exact" } }),
    (named) => ({ method: "PATCH", at: one(named[name]), body, headers: { prefer: "return=representation" } }),
    (named) => ({ method: "DELETE", at: one(named[name]), headers: { prefer: "return=representation" } }),
  ];
}

function byWorkspace({ name }: Table): readonly Probe[] {
  const all = (id: string | undefined) => `/rest/v1/${name}?workspace_id=eq.${id}`;
  return [
    (named) => ({ method: "GET", at: all(named["workspaces"]) }),
    (named) => ({ method: "DELETE", at: all(named["workspaces"]) }),
    (named) => ({
      method: "POST",
      at: `/rest/v1/${name}`,
      body: { ...ROWS[name], workspace_id: named["workspaces"] },
    }),
  ];
}

function byReference(table: Table): readonly Probe[] {
  return FOREIGN_KEYS.filter(({ table: from }) => from === table.name).flatMap((key) => [
    reading(key),
    ...(table.columns.get(key.column)?.write === "never" ? [] : writing(key)),
  ]);
}

function reading({ table, column, references, name }: ForeignKey): Probe {
  return (named) => ({
    method: "GET",
    at: `/rest/v1/${table}?${column}=eq.${named[references]}&select=*,${references}!${name}(*)`,
  });
}

function writing({ table, column, references }: ForeignKey): readonly Probe[] {
  return [
    (named, own) => ({
      method: "POST",
      at: `/rest/v1/${table}`,
      body: { ...ROWS[table], workspace_id: own["workspaces"], [column]: named[references] },
    }),
    (named, own) => ({
      method: "PATCH",
      at: `/rest/v1/${table}?id=eq.${table === "tasks" ? own["pendingTask"] : own[table]}`,
      body: { [column]: named[references] },
    }),
  ];
}
