import { z } from "zod";
import { requestHeaders } from "#lib/http/request-headers.ts";
import type { FieldIssue } from "../errors.ts";

/** The prefix of a custom tool's name in an agent's `tools`, followed by its id. */
export const CUSTOM_TOOL_PREFIX = "custom:";

/** The HTTP methods of custom tools. */
export const CUSTOM_TOOL_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** The maximum length of a tool's schema, as JSON, in characters. */
export const MAX_SCHEMA_LENGTH = 32_000;
const MAX_TIMEOUT_MS = 120_000;
const DEFAULT_TIMEOUT_MS = 30_000;
/** A part of the URL that an argument replaces. */
const PLACEHOLDER = /\{([^{}]*)\}/g;
const ORIGIN = /^https?:\/\/[^/?#{}]+(?:[/?#]|$)/i;

const fields = z.strictObject({
  // The function names that every provider accepts.
  name: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,63}$/, "must be up to 64 lower-case letters, digits and _, starting with a letter")
    .describe("The name for the model; unique in the workspace."),
  description: z.string().trim().min(1).max(4_000).describe("What it does and when to use it, for the model."),
  parameters: z
    .looseObject({ type: z.literal("object"), properties: z.record(z.string(), z.unknown()).default({}) })
    .describe("A JSON Schema of the arguments."),
  url: z.string().min(1).max(4_000).describe("The URL of the call; {name} is replaced by the argument of that name."),
  method: z
    .enum(CUSTOM_TOOL_METHODS)
    .describe(
      "Arguments without a placeholder in the URL are sent in the query of a GET or DELETE, else in a JSON body.",
    ),
  headers: requestHeaders.describe("Headers of every call, such as keys; stored encrypted, never shown."),
  timeout_ms: z.int().min(100).max(MAX_TIMEOUT_MS).describe("The timeout of a call, in milliseconds."),
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
      .describe("Replaces all headers; a value sent back masked is kept."),
  })
  .partial()
  .describe("The fields of a tool to change.");

/** A custom tool, validated. */
export type CustomTool = Readonly<z.output<typeof customToolCreate>>;

/** Changes to a custom tool, validated. */
export type CustomToolPatch = Readonly<z.output<typeof customToolPatch>>;

/** Fields that a client may send back from a record; they are ignored. */
export const CUSTOM_TOOL_READ_ONLY = ["id", "workspace_id", "created_by", "created_at", "updated_at"] as const;

/** The row to which encrypted headers are bound. */
export function customToolContext(workspaceId: string, toolId: string): string {
  return `custom_tools:${workspaceId}:${toolId}`;
}

/** Returns the names of the arguments in a URL, in order. */
export function placeholdersOf(url: string): readonly string[] {
  return [...url.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
}

/** Returns a URL with its placeholders filled. */
export function fillPlaceholders(url: string, valueOf: (name: string) => string): string {
  return url.replaceAll(PLACEHOLDER, (_, name: string) => valueOf(name));
}

/** Checks across fields whether the URL matches the schema; not whether the schema is usable. */
export function customToolIssues({ url, parameters }: Pick<CustomTool, "url" | "parameters">): readonly FieldIssue[] {
  if (!ORIGIN.test(url)) {
    return [{ path: "url", message: "must start with http:// or https:// and a host without placeholders" }];
  }
  const required = requiredOf(parameters);
  const unfilled = placeholdersOf(url).filter((name) => !required.includes(name));
  return unfilled.map((name) => ({
    path: "url",
    message: `contains {${name}}, which is not among the required properties of parameters`,
  }));
}

function requiredOf({ required, properties }: CustomTool["parameters"]): readonly string[] {
  const names = z.array(z.string()).safeParse(required).data ?? [];
  return names.filter((name) => name in properties);
}
