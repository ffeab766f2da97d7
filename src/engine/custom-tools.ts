import { z } from "zod";
import { CUSTOM_TOOL_PREFIX, argumentFaults } from "#domain/custom-tool.ts";
import { serviceIn } from "#domain/role.ts";
import { customToolId } from "#domain/tool-name.ts";
import { readCustomTools } from "#db/queries/custom-tools.ts";
import type { CustomToolRow } from "#db/queries/custom-tools.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { callCustomTool } from "#operations/custom-tools/call.ts";
import type { CallServices } from "#operations/custom-tools/call.ts";
import { defineTool } from "#tools/define-tool.ts";
import type { Tool } from "#tools/define-tool.ts";
import type { ToolSource } from "./tool-registry.ts";

/** The tools that workspaces have made for their agents. */
export function createCustomTools(services: CallServices): ToolSource {
  return {
    prefix: CUSTOM_TOOL_PREFIX,
    async find(workspaceId, names) {
      const ids = names.flatMap((name) => customToolId(name) ?? []);
      const rows = await retryOutage(() => readCustomTools(services.db, serviceIn(workspaceId), ids));
      return rows.map((row) => toTool(services, row));
    },
  };
}

function toTool(services: CallServices, tool: CustomToolRow): Tool {
  return defineTool({
    name: tool.name,
    listedAs: CUSTOM_TOOL_PREFIX + tool.id,
    description: tool.description,
    inputSchema: tool.parameters,
    input: z.record(z.string(), z.unknown()).superRefine((args, context) => {
      for (const { path, message } of argumentFaults(tool, args)) {
        context.addIssue({ code: "custom", path: path === "" ? [] : path.split("."), message });
      }
    }),
    async execute(args, { workspaceId, taskId, idempotencyKey, signal }) {
      const call = { tool, args, taskId, idempotencyKey, signal };
      const { output, error } = await callCustomTool(services, serviceIn(workspaceId), call);
      if (error !== null) throw new Error(error);
      return output ?? "";
    },
  });
}
