import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { MAX_SCHEMA_LENGTH } from "#domain/tools/custom-tool.ts";
import { findUnstorable, storableText } from "#domain/storable.ts";
import type { McpToolRow } from "#db/queries/protocols/mcp-tools.ts";
import { UnusableSchemaError } from "#lib/json-schema/compile-schema.ts";
import type { SchemaChecker } from "#lib/json-schema/schema-checker.ts";
import type { RemoteTool } from "#lib/mcp/remote-tool.ts";
import { SandboxLimitError } from "#lib/sandbox/sandbox-error.ts";

const MAX_DESCRIPTION = 8_000;
const MAX_TITLE = 200;
const MAX_ANNOTATIONS = 4_000;
const MAX_ISSUE = 500;
/** Schemas that are known to be usable, by their hash: a server is asked for its tools often. */
const usable = new LRUCache<string, true>({ max: 5_000 });

/** Who checks schemas, and for which workspace. */
export interface SchemaChecks {
  readonly schemas: SchemaChecker;
  readonly workspaceId: string;
}

/** The tools of a server as they are stored, each with the issue for which it cannot be used. */
export async function readTools(checks: SchemaChecks, tools: readonly RemoteTool[]): Promise<McpToolRow[]> {
  const rows: McpToolRow[] = [];
  for (const tool of tools) {
    if (findUnstorable(tool.name) !== undefined) continue;
    const issue = findIssue(tool) ?? (await findSchemaIssue(checks, tool.inputSchema));
    rows.push({
      name: tool.name,
      title: tool.title == null ? null : storableText(tool.title.slice(0, MAX_TITLE)),
      description: storableText((tool.description ?? "").slice(0, MAX_DESCRIPTION)),
      input_schema: issue === null ? tool.inputSchema : { type: "object" },
      annotations: annotationsOf(tool),
      issue,
    });
  }
  return rows;
}

function findIssue({ inputSchema, execution }: RemoteTool): string | undefined {
  if (execution?.taskSupport === "required") return "It can only be called as an MCP task, which is not supported.";
  if (inputSchema["type"] !== "object") return "Its input schema does not describe an object.";
  if (JSON.stringify(inputSchema).length > MAX_SCHEMA_LENGTH) {
    return `Its input schema is longer than ${MAX_SCHEMA_LENGTH} characters.`;
  }
  const fault = findUnstorable(inputSchema);
  return fault === undefined ? undefined : `Its input schema cannot be stored: ${fault.path} ${fault.message}.`;
}

/** When the workspace's CPU time for checks is used up, a schema counts as usable: each call checks it again. */
async function findSchemaIssue(
  { schemas, workspaceId }: SchemaChecks,
  schema: RemoteTool["inputSchema"],
): Promise<string | null> {
  const hash = createHash("sha256").update(JSON.stringify(schema)).digest("hex");
  if (usable.has(hash)) return null;
  try {
    await schemas.assertUsable(workspaceId, schema);
    usable.set(hash, true);
    return null;
  } catch (error) {
    if (error instanceof SandboxLimitError) return null;
    if (!(error instanceof UnusableSchemaError)) throw error;
    return `Its input schema is no usable JSON Schema: ${error.message}`.slice(0, MAX_ISSUE).toWellFormed();
  }
}

function annotationsOf({ annotations }: RemoteTool): Readonly<Record<string, unknown>> {
  if (annotations == null || findUnstorable(annotations) !== undefined) return {};
  return JSON.stringify(annotations).length > MAX_ANNOTATIONS ? {} : annotations;
}
