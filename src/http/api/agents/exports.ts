import { z } from "zod";
import { EXPORT_FORMAT, IMPORT_FORMATS, agentFile, exportFile, teamFile } from "#domain/agents/export-file.ts";
import { exportAgent, exportTeam } from "#operations/agents/export.ts";
import type { Download } from "#operations/agents/export.ts";
import { checkFile, importFile } from "#operations/agents/import.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { HttpContext } from "../../context.ts";
import { agentRecord } from "../shape/records.ts";
import { respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { teamRecord } from "../teams/team-records.ts";
import { endpoint } from "../shape/endpoint.ts";

const formatQuery = z.object({
  format: z.enum(IMPORT_FORMATS).default(EXPORT_FORMAT).describe("The format name in the file."),
});

const importedRecord = z
  .strictObject({
    agents: z.array(agentRecord),
    team: teamRecord.nullable().describe("null when the file contains an agent."),
    warnings: z
      .array(z.strictObject({ path: z.string(), message: z.string() }))
      .describe("What was left out or cannot be used yet, with the paths in the file."),
  })
  .meta({ id: "Imported" });

/** The record types that can be exported, with their import. */
const RESOURCES = [
  { name: "agents", noun: "Agent", one: "an agent", file: agentFile, write: exportAgent, read: exportFile },
  { name: "teams", noun: "Team", one: "a team with its agents", file: teamFile, write: exportTeam, read: teamFile },
] as const;

/** Adds export and import of agents and teams to /console/api. */
export default function addExports(api: Api): void {
  for (const { name, noun, one, file, write, read } of RESOURCES) {
    addPath(api, `/console/api/${name}/{id}/export`, {
      tag: "Export and import",
      endpoints: [
        endpoint({
          method: "get",
          operationId: `export${noun}`,
          summary: `Download ${one} as a file`,
          params: idQuery,
          query: formatQuery,
          success: { status: 200, schema: file },
          handle: async ({ c, workspace, params, query }) =>
            download(c, await write(workspace, { id: params.id, ...query })),
        }),
      ],
    });
    addPath(api, `/console/api/${name}/import`, {
      tag: "Export and import",
      endpoints: [
        endpoint({
          method: "post",
          operationId: `import${noun}`,
          summary: "Import the agent or team of a file",
          body: read,
          success: { status: 201, schema: importedRecord },
          async prepare({ c, workspace, body }) {
            const checked = await checkFile(workspace, body);
            return async (joined) => {
              const { agents, team, warnings } = await importFile(joined, checked);
              const made = { agents: agents.map(parsed), team: team === null ? null : parsed(team), warnings };
              return respondValue(c, made, 201);
            };
          },
        }),
      ],
    });
  }
}

function parsed(record: JsonText): unknown {
  return JSON.parse(record);
}

function download(c: HttpContext, { fileName, text }: Download): Response {
  return c.body(text, 200, {
    "Content-Type": "application/json; charset=UTF-8",
    "Content-Disposition": `attachment; filename="${fileName}"`,
  });
}
