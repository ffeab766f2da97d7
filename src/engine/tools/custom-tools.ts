import { CUSTOM_TOOL_PREFIX } from "#domain/tools/custom-tool.ts";
import { serviceIn } from "#domain/access/role.ts";
import { customToolId } from "#domain/tools/tool-name.ts";
import { readCustomTools } from "#db/queries/tools/custom-tools.ts";
import type { CustomToolRow } from "#db/queries/tools/custom-tools.ts";
import { callCustomTool } from "#operations/tools/custom-tools/call.ts";
import type { CallServices } from "#operations/tools/custom-tools/call.ts";
import type { SchemaChecker } from "#lib/json-schema/schema-checker.ts";
import { defineTool } from "#tools/define-tool.ts";
import type { Tool } from "#tools/define-tool.ts";
import { argumentsFor } from "./tool-arguments.ts";
import type { ToolSource } from "./tool-registry.ts";

interface CustomToolServices extends CallServices {
  readonly schemas: SchemaChecker;
}

/** The custom tools of workspaces. */
export function createCustomTools(services: CustomToolServices): ToolSource {
  return {
    prefix: CUSTOM_TOOL_PREFIX,
    async find({ workspaceId }, names) {
      const ids = names.flatMap((name) => customToolId(name) ?? []);
      const rows = await readCustomTools(services.db.inWorkspace(serviceIn(workspaceId)), ids);
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
    input: argumentsFor(services, tool),
    passesArguments: true,
    async execute(args, { workspaceId, subjectId, idempotencyKey, traceparent, signal }) {
      const call = { tool, args, subjectId, idempotencyKey, traceparent, signal };
      const { output, error } = await callCustomTool(services, serviceIn(workspaceId), call);
      if (error !== null) throw new Error(error);
      return output ?? "";
    },
  });
}
