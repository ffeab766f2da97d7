import { z } from "zod";
import { CUSTOM_TOOL_PREFIX } from "#domain/custom-tool.ts";
import { AppError } from "#domain/errors.ts";
import type { FieldFault } from "#domain/errors.ts";
import { serviceIn } from "#domain/role.ts";
import { customToolId } from "#domain/tool-name.ts";
import { readCustomTools } from "#db/queries/custom-tools.ts";
import type { CustomToolRow } from "#db/queries/custom-tools.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { callCustomTool } from "#operations/custom-tools/call.ts";
import type { CallServices } from "#operations/custom-tools/call.ts";
import { argumentFaults } from "#operations/custom-tools/check-schema.ts";
import type { SchemaChecker } from "#lib/json-schema/schema-checker.ts";
import { defineTool } from "#tools/define-tool.ts";
import type { Tool } from "#tools/define-tool.ts";
import type { ToolSource } from "./tool-registry.ts";

interface CustomToolServices extends CallServices {
  readonly schemas: SchemaChecker;
}

/** The tools that workspaces have made for their agents. */
export function createCustomTools(services: CustomToolServices): ToolSource {
  return {
    prefix: CUSTOM_TOOL_PREFIX,
    async find(workspaceId, names) {
      const ids = names.flatMap((name) => customToolId(name) ?? []);
      const rows = await retryOutage(() => readCustomTools(services.db, serviceIn(workspaceId), ids));
      return rows.map((row) => toTool(services, { ...row, workspaceId }));
    },
  };
}

function toTool(services: CustomToolServices, tool: CustomToolRow & { readonly workspaceId: string }): Tool {
  return defineTool({
    name: tool.name,
    listedAs: CUSTOM_TOOL_PREFIX + tool.id,
    description: tool.description,
    inputSchema: tool.parameters,
    input: z.record(z.string(), z.unknown()).superRefine(async (args, context) => {
      for (const { path, message } of await argumentFaults(services, tool, args).catch(rejection)) {
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

/** The model is told, and may call the tool later. */
function rejection(error: unknown): readonly FieldFault[] {
  if (error instanceof AppError) return [{ path: "", message: error.message }];
  throw error;
}
