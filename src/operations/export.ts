import { notFound } from "#domain/errors.ts";
import { EXPORT_FORMAT, EXPORT_VERSION } from "#domain/export-file.ts";
import type { Principal } from "#domain/principal.ts";
import { readAgentExport } from "#db/queries/exports.ts";
import type { Services } from "./context.ts";

/** A file to download. */
export interface ExportFile {
  /** Made of plain letters, digits and dashes; ends in `.json`. */
  readonly fileName: string;
  /** JSON, indented; the same fields always in the same order. */
  readonly text: string;
}

/** Writes an agent's file: what the agent is, without what belongs to its workspace. @throws AppError `not_found`. */
export async function exportAgent(services: Services, who: Principal, id: string): Promise<ExportFile> {
  const data = await readAgentExport(services.db, who, id);
  if (data === undefined) throw notFound("Agent");
  return fileOf("agent", data);
}

function fileOf(type: "agent" | "team", data: { readonly name: string }): ExportFile {
  const file = {
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    type,
    exported_at: new Date().toISOString(),
    data,
  };
  const slug = data.name.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return { fileName: `${["muster", type, ...slug].join("-")}.json`, text: `${JSON.stringify(file, null, 2)}\n` };
}
