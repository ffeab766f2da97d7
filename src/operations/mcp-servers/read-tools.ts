import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { MAX_SCHEMA_LENGTH } from "#domain/tools/custom-tool.ts";
import { findUnstorable, storableText } from "#domain/storable.ts";
import type { McpToolRow } from "#db/queries/mcp-servers/mcp-tools.ts";
import { UnusableSchemaError } from "#lib/json-schema/unusable-schema-error.ts";
import type { SchemaChecker } from "#lib/json-schema/schema-checker.ts";
import { readHeaderParams } from "#protocols/mcp/param-headers.ts";
import type { RemoteTool } from "#protocols/mcp/remote-tool.ts";
import { SandboxLimitError } from "#lib/sandbox/sandbox-error.ts";

const MAX_DESCRIPTION = 8_000;
const MAX_TITLE = 200;
const MAX_ANNOTATIONS = 4_000;
const MAX_ISSUE = 500;
type Schema = RemoteTool["inputSchema"];

/** The usable parts of schemas, by the schema's hash: the tools of a server are listed often. */
const usable = new LRUCache<string, Schema>({ max: 5_000 });

/** The schema checker, and the workspace that it counts against. */
export interface SchemaChecks {
  readonly schemas: SchemaChecker;
  readonly workspaceId: string;
}

/** Returns the tools of a server as they are stored, each with the issue that makes it unusable. */
export async function readTools(checks: SchemaChecks, tools: readonly RemoteTool[]): Promise<McpToolRow[]> {
  const rows: McpToolRow[] = [];
  for (const tool of tools) {
    if (findUnstorable(tool.name) !== undefined) continue;
    const found = findIssue(tool) ?? (await usableSchema(checks, tool.inputSchema));
    const isUsable = typeof found !== "string";
    const shown = {
      name: tool.name,
      title: tool.title == null ? null : storableText(tool.title.slice(0, MAX_TITLE)),
      description: storableText((tool.description ?? "").slice(0, MAX_DESCRIPTION)),
      input_schema: isUsable ? found : { type: "object" },
      annotations: annotationsOf(tool),
    };
    rows.push({ ...shown, issue: isUsable ? null : found, hash: hashOf(shown) });
  }
  return rows;
}

function findIssue({ inputSchema, execution }: RemoteTool): string | undefined {
  if (execution?.taskSupport === "required") return "It can only be called as an MCP task, which is not supported.";
  if (inputSchema["type"] !== "object") return "Its input schema does not describe an object.";
  if (JSON.stringify(inputSchema).length > MAX_SCHEMA_LENGTH) {
    return `Its input schema is longer than ${MAX_SCHEMA_LENGTH} characters.`;
  }
  const issue = findUnstorable(inputSchema);
  if (issue !== undefined) return `Its input schema cannot be stored: ${issue.path} ${issue.message}.`;
  const headers = readHeaderParams(inputSchema);
  return "issue" in headers ? `It must not be called, because its annotation is invalid: ${headers.issue}` : undefined;
}

/**
 * The schema without what our checker cannot read, or why it is unusable. When the workspace has used up its CPU time
 * for checks, a schema counts as usable: each call checks it again.
 */
async function usableSchema({ schemas, workspaceId }: SchemaChecks, schema: Schema): Promise<Schema | string> {
  const hash = hashOf(schema);
  const known = usable.get(hash);
  if (known !== undefined) return known;
  try {
    const part = await schemas.usablePart(workspaceId, schema);
    usable.set(hash, part);
    return part;
  } catch (error) {
    if (error instanceof SandboxLimitError) return schema;
    if (!(error instanceof UnusableSchemaError)) throw error;
    return `Its input schema is not a usable JSON Schema: ${error.message}`.slice(0, MAX_ISSUE).toWellFormed();
  }
}

function hashOf(value: object): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

function annotationsOf({ annotations }: RemoteTool): Readonly<Record<string, unknown>> {
  if (annotations == null || findUnstorable(annotations) !== undefined) return {};
  return JSON.stringify(annotations).length > MAX_ANNOTATIONS ? {} : annotations;
}
