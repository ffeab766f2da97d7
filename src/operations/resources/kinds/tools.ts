import { customToolContext, customToolCreate, customToolPatch } from "#domain/tools/custom-tool.ts";
import { readCustomTools } from "#db/queries/tools/custom-tools.ts";
import { assertUsableParameters } from "../../tools/custom-tools/check-schema.ts";
import { createCustomTool, deleteCustomTool, updateCustomTool } from "../../tools/custom-tools/custom-tools.ts";
import { openHeaders } from "../../tools/stored-headers.ts";
import { defineResourceKind, oneByOne, written } from "../resource-kind.ts";
import { headerSecrets } from "./header-secrets.ts";

const write = written({
  create: customToolCreate,
  patch: customToolPatch,
  add: (workspace, fields) => createCustomTool(workspace, fields),
  change: (workspace, id, patch) => updateCustomTool(workspace, { id, patch }),
});

/** Custom tools. */
export const tools = defineResourceKind({
  resource: "tool",
  folder: "tools",
  schema: customToolCreate,
  listed: "custom_tool",
  secretsOf: () => ["headers.*"],
  async openSecrets(workspace, id) {
    const { workspaceId } = workspace.who;
    const [tool] = await readCustomTools(workspace, [id]);
    return headerSecrets(tool && openHeaders(workspace.secrets, customToolContext(workspaceId, id), tool));
  },
  async begin(workspace, step) {
    const { fields, changes } = step.input;
    const { parameters } = customToolPatch.parse(step.isNew ? { parameters: fields["parameters"] } : changes);
    await assertUsableParameters(workspace, workspace.who.workspaceId, { parameters });
    return write(workspace, step);
  },
  remove: oneByOne(deleteCustomTool),
});
