import { z } from "zod";
import { canonicalJson } from "#lib/text/canonical-json.ts";

/** A part of a tool result: text, or a file's content. */
export type McpContent =
  | { readonly text: string }
  | { readonly file: { readonly name: string | undefined; readonly mediaType: string; readonly data: Uint8Array } };

/**
 * The result of a tool as servers send it. The tool has run, so no part of it is rejected: blocks of unknown types and
 * with missing fields are kept as they can be read.
 */
export const toolResult = z.looseObject({
  content: z
    .unknown()
    .optional()
    .transform((content) => (Array.isArray(content) ? content : content == null ? [] : [content])),
  structuredContent: z.unknown().optional(),
  isError: z
    .unknown()
    .optional()
    .transform((isError) => isError === true),
});

/** The result of a tool. */
export type ToolCallResult = z.output<typeof toolResult>;

/**
 * The parts of a tool result in order. Structured content comes last, as JSON, unless a text part contains the same:
 * servers often send both for older clients.
 */
export function readContent({ content, structuredContent }: ToolCallResult): readonly McpContent[] {
  const parts = content.map(readBlock);
  if (structuredContent === undefined || parts.some((part) => "text" in part && isSame(part.text, structuredContent))) {
    return parts;
  }
  return [...parts, { text: JSON.stringify(structuredContent) }];
}

const UNKNOWN_TYPE = "application/octet-stream";
const optional = z.string().optional().catch(undefined);
const base64 = z.string().transform((text) => Buffer.from(text, "base64"));
const mimeType = z.string().catch(UNKNOWN_TYPE);

/** The blocks of all revisions, and what is read of others: a text, a file, or a link by their fields. */
const block = z.union([
  z.looseObject({ text: z.string() }).transform(({ text }): McpContent => ({ text })),
  z
    .looseObject({ data: base64, mimeType: z.string(), name: optional })
    .transform(({ data, mimeType: mediaType, name }): McpContent => ({ file: { name, mediaType, data } })),
  z
    .looseObject({ resource: z.looseObject({ uri: z.string().catch("without a URI"), text: z.string() }) })
    .transform(({ resource: { uri, text } }): McpContent => ({ text: `[Resource ${uri}]\n${text}` })),
  z
    .looseObject({ resource: z.looseObject({ uri: z.string().catch(""), blob: base64, mimeType }) })
    .transform(({ resource: { uri, blob, mimeType: mediaType } }): McpContent => ({
      file: { name: lastSegment(uri), mediaType, data: blob },
    })),
  z
    .looseObject({ uri: z.string(), name: optional, description: optional })
    .transform(({ uri, name, description }): McpContent => ({ text: describeLink(uri, { name, description }) })),
]);

function readBlock(given: unknown): McpContent {
  if (typeof given === "string") return { text: given };
  return block.safeParse(given).data ?? { text: JSON.stringify(given) };
}

function describeLink(
  uri: string,
  { name, description }: { readonly name: string | undefined; readonly description: string | undefined },
): string {
  const link = name === undefined ? `[Resource: ${uri}]` : `[Resource ${name}: ${uri}]`;
  return description === undefined ? link : `${link} ${description}`;
}

function lastSegment(uri: string): string | undefined {
  const [path = ""] = uri.split(/[?#]/);
  return path.split("/").at(-1) || undefined;
}

function isSame(text: string, value: unknown): boolean {
  try {
    return canonicalJson(JSON.parse(text)) === canonicalJson(value);
  } catch {
    return false;
  }
}
