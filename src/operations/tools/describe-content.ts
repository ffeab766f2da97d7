import { storableText } from "#domain/storable.ts";
import { formatSize } from "#lib/text/format-size.ts";

/** A part of what a tool returns: text, or a file's content. */
export type ToolContent =
  | { readonly text: string }
  | { readonly file: { readonly name: string | undefined; readonly mediaType: string; readonly data: Uint8Array } };

/** Describes a part of a result for readers that do not receive it: text as it is, files by type and size. */
export function describeContent(part: ToolContent): string {
  if ("text" in part) return part.text;
  const { name, mediaType, data } = part.file;
  return `[${storableText([name, mediaType].filter((word) => word !== undefined).join(", "))}, ${formatSize(data.length)}]`;
}
