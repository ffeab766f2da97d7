import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import { canonicalJson } from "../text/canonical-json.ts";

/** A part of a tool result: text, or a file's content. */
export type McpContent =
  | { readonly text: string }
  | { readonly file: { readonly name: string | undefined; readonly mediaType: string; readonly data: Uint8Array } };

/**
 * The parts of a tool result in order. Structured content comes last, as JSON, unless a text part contains the same:
 * servers often send both for older clients.
 */
export function readContent({ content, structuredContent }: CallToolResult): readonly McpContent[] {
  const parts = content.map(readBlock);
  if (structuredContent === undefined || parts.some((part) => "text" in part && isSame(part.text, structuredContent))) {
    return parts;
  }
  return [...parts, { text: JSON.stringify(structuredContent) }];
}

function readBlock(block: ContentBlock): McpContent {
  switch (block.type) {
    case "text":
      return { text: block.text };
    case "image":
    case "audio":
      return { file: { name: undefined, mediaType: block.mimeType, data: Buffer.from(block.data, "base64") } };
    case "resource_link": {
      const { name, uri, description } = block;
      return { text: `[Resource ${name}: ${uri}]${description === undefined ? "" : ` ${description}`}` };
    }
    case "resource": {
      const { resource } = block;
      if ("text" in resource) return { text: `[Resource ${resource.uri}]\n${resource.text}` };
      const mediaType = resource.mimeType ?? "application/octet-stream";
      return { file: { name: lastSegment(resource.uri), mediaType, data: Buffer.from(resource.blob, "base64") } };
    }
  }
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
