import { z } from "zod";
import { agentFile } from "#domain/export-file.ts";
import { exportAgent } from "#operations/export.ts";
import type { ExportFile } from "#operations/export.ts";
import { importFile } from "#operations/import.ts";
import type { Imported } from "#operations/import.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { agentRecord } from "../envelope/records.ts";
import { respondValue } from "../envelope/respond.ts";
import { addPath } from "../envelope/route.ts";
import type { ApiApp } from "../envelope/route.ts";
import { readBody, readParams } from "../read-body.ts";

const idParam = z.object({ id: z.guid() });

const importedRecord = z.strictObject({ agents: z.array(agentRecord) }).meta({ id: "Imported" });

/** Adds export and import of agents to /console/api. */
export function addExports(app: ApiApp, services: HttpServices): void {
  addPath(app, "/console/api/agents/{id}/export", {
    tag: "Console",
    endpoints: [
      {
        method: "get",
        summary: "Download an agent as a file",
        params: idParam,
        success: { status: 200, schema: agentFile },
        handle: async (c) => download(c, await exportAgent(services, c.get("principal"), readParams(c, idParam).id)),
      },
    ],
  });
  addPath(app, "/console/api/agents/import", {
    tag: "Console",
    endpoints: [
      {
        method: "post",
        summary: "Create what a file describes",
        body: agentFile,
        success: { status: 201, schema: importedRecord },
        handle: async (c) =>
          respondValue(c, imported(await importFile(services, c.get("principal"), await readBody(c, agentFile))), 201),
      },
    ],
  });
}

function download(c: HttpContext, { fileName, text }: ExportFile): Response {
  return c.body(text, 200, {
    "Content-Type": "application/json; charset=UTF-8",
    "Content-Disposition": `attachment; filename="${fileName}"`,
  });
}

function imported({ agents }: Imported): object {
  return { agents: agents.map((agent): unknown => JSON.parse(agent)) };
}
