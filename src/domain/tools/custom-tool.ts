import { z } from "zod";
import { requestHeaders } from "#lib/http/request-headers.ts";
import type { FieldIssue } from "../errors.ts";

/** How an agent's `tools` name a custom tool: this and its id. */
export const CUSTOM_TOOL_PREFIX = "custom:";

/** What a custom tool may be asked with. */
export const CUSTOM_TOOL_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Characters of the JSON of a tool's schema. */
export const MAX_SCHEMA_LENGTH = 32_000;
const MAX_TIMEOUT_MS = 120_000;
const DEFAULT_TIMEOUT_MS = 30_000;
/** A place in the address that an argument fills. */
const PLACEHOLDER = /\{([^{}]*)\}/g;
const ORIGIN = /^https?:\/\/[^/?#{}]+/i;

const fields = z.strictObject({
  // What every vendor takes as the name of a function.
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,63}$/, "must be up to 64 small letters, digits and _, a letter first")
    .describe("What the model calls it; no other tool of the workspace has it."),
  description: z.string().trim().min(1).max(4_000).describe("What it does and when to use it, for the model."),
  parameters: z
    .looseObject({ type: z.literal("object"), properties: z.record(z.string(), z.unknown()).default({}) })
    .describe("A JSON Schema of the arguments."),
  url: z.string().min(1).max(4_000).describe("Where the call goes; {name} is filled with the argument of that name."),
  method: z
    .enum(CUSTOM_TOOL_METHODS)
    .describe("Arguments that the address does not hold go into the query of a GET or DELETE, else into a JSON body."),
  headers: requestHeaders.describe("Headers of every call, such as keys; stored encrypted, never shown."),
  timeout_ms: z.int().min(100).max(MAX_TIMEOUT_MS).describe("How long a call may take, in milliseconds."),
});

/** The body of POST /console/api/tools. */
export const customToolCreate = fields.extend({
  parameters: fields.shape.parameters.default({ type: "object", properties: {} }),
  method: fields.shape.method.default("POST"),
  headers: fields.shape.headers.default({}),
  timeout_ms: fields.shape.timeout_ms.default(DEFAULT_TIMEOUT_MS),
});

/** The body of PATCH /console/api/tools/:id. */
export const customToolPatch = fields
  .extend({
    headers: z
      .record(z.string(), z.string().max(8_000))
      .describe("All headers again; a value that is sent back as it is shown stays what it was."),
  })
  .partial()
  .describe("The fields of a tool to change.");

/** A custom tool, checked. */
export type CustomTool = Readonly<z.output<typeof customToolCreate>>;

/** Changes to a custom tool, checked. */
export type CustomToolPatch = Readonly<z.output<typeof customToolPatch>>;

/** Fields that a client may send back from a record it read; they are ignored. */
export const CUSTOM_TOOL_READ_ONLY = ["id", "workspace_id", "created_by", "created_at", "updated_at"] as const;

/** The row to which encrypted headers are bound. */
export function customToolContext(workspaceId: string, toolId: string): string {
  return `custom_tools:${workspaceId}:${toolId}`;
}

/** The names of the arguments that an address holds, in their order. */
export function placeholdersOf(url: string): readonly string[] {
  return [...url.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
}

/** An address with its placeholders filled. */
export function fillPlaceholders(url: string, valueOf: (name: string) => string): string {
  return url.replaceAll(PLACEHOLDER, (_, name: string) => valueOf(name));
}

/** What a single field cannot tell: whether the URL fits the schema; not whether the schema can be used. */
export function customToolIssues({ url, parameters }: Pick<CustomTool, "url" | "parameters">): readonly FieldIssue[] {
  if (!ORIGIN.test(url)) {
    return [{ path: "url", message: "must begin with http:// or https:// and a host without placeholders" }];
  }
  const required = requiredOf(parameters);
  const unfilled = placeholdersOf(url).filter((name) => !required.includes(name));
  return unfilled.map((name) => ({
    path: "url",
    message: `holds {${name}}, which is not among the required properties of parameters`,
  }));
}

function requiredOf({ required, properties }: CustomTool["parameters"]): readonly string[] {
  const names = z.array(z.string()).safeParse(required).data ?? [];
  return names.filter((name) => name in properties);
}
