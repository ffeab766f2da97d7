import { FOREIGN_KEYS, TABLES } from "#http/table/tables.ts";
import type { ForeignKey, Table } from "#http/table/tables.ts";
import type { Asked, Probe } from "./cross-tenant-probes.ts";
import type { Things } from "./two-workspaces.ts";

/** A row that may be made, for each table in which rows can be made by hand. */
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

function byReference({ name, columns }: Table): readonly Probe[] {
  return FOREIGN_KEYS.filter(({ table }) => table === name).flatMap(({ column, references }: ForeignKey): Probe[] => [
    (named) => ({ method: "GET", at: `/rest/v1/${name}?${column}=eq.${named[references]}&select=*,${references}(*)` }),
    ...(columns.get(column)?.write === "never"
      ? []
      : [
          (named: Things): Asked => ({
            method: "POST",
            at: `/rest/v1/${name}`,
            body: { ...ROWS[name], [column]: named[references] },
          }),
          (named: Things, own: Things): Asked => ({
            method: "PATCH",
            at: `/rest/v1/${name}?id=eq.${own[name]}`,
            body: { [column]: named[references] },
          }),
        ]),
  ]);
}
