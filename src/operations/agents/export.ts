import { AppError, notFound, orNotFound } from "#domain/errors.ts";
import { EXPORT_VERSION } from "#domain/agents/export-file.ts";
import type { FileFormat } from "#domain/agents/export-file.ts";
import { agentsNamed, renameAgents } from "#domain/teams/team-references.ts";
import { recordExport } from "#db/queries/access/audit-log.ts";
import { readAgentExports, readTeamExport } from "#db/queries/agents/exports.ts";
import type { Workspace } from "../workspace.ts";

/** A file to download. */
export interface Download {
  /** ASCII letters, digits and dashes; ends in `.json`. */
  readonly fileName: string;
  /** JSON, indented; the fields always in the same order. */
  readonly text: string;
}

/** The record to export, and the name of the file's format. */
export interface ExportRequest {
  readonly id: string;
  readonly format: FileFormat;
}

/** Exports an agent, without data that belongs to its workspace. @throws AppError `not_found`. */
export async function exportAgent(workspace: Workspace, { id, format }: ExportRequest): Promise<Download> {
  return workspace.transaction(async (tx) => {
    const [agent] = (await readAgentExports(tx, [id])).values();
    if (agent === undefined) throw notFound("Agent");
    await recordExport(tx, { kind: "agent", id, name: agent.name });
    return fileOf("agent", { format, data: agent });
  });
}

/**
 * Exports a team, with every agent of its config. The file names them `agent-1`, `agent-2` … in the order of the
 * config.
 * @throws AppError `not_found`; `conflict` when the config references a deleted agent.
 */
export async function exportTeam(workspace: Workspace, { id, format }: ExportRequest): Promise<Download> {
  return workspace.transaction(async (tx) => {
    const team = orNotFound("Team")(await readTeamExport(tx, id));
    const ids = agentsNamed(team.config);
    const found = await readAgentExports(tx, ids);
    const agents = ids.map((agentId, index) => {
      const agent = found.get(agentId);
      if (agent === undefined) throw new AppError("conflict", "The team's config references a deleted agent.");
      return { ref_id: referenceOf(index), agent };
    });
    await recordExport(tx, { kind: "team", id, name: team.name });
    const config = renameAgents(team.config, (agentId) => referenceOf(ids.indexOf(agentId)));
    return fileOf("team", { format, data: { ...team, config, agents } });
  });
}

function referenceOf(index: number): string {
  return `agent-${index + 1}`;
}

interface Named extends Readonly<Record<string, unknown>> {
  readonly name: string;
}

function fileOf(type: "agent" | "team", of: { readonly format: FileFormat; readonly data: Named }): Download {
  const { format, data } = of;
  const file = {
    format,
    version: EXPORT_VERSION,
    type,
    exported_at: new Date().toISOString(),
    data,
  };
  const slug = data.name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return { fileName: `${["muster", type, ...slug].join("-")}.json`, text: `${JSON.stringify(file, null, 2)}\n` };
}
