import type { RemotePart } from "./remote-result.ts";

const UNKNOWN_TYPE = "application/octet-stream";

/** A file that a remote agent sent as a part of its output. */
export interface RemoteFile {
  readonly name: string | undefined;
  readonly mediaType: string;
  /** Its content, in base64. */
  readonly base64: string;
}

/** Returns the files that parts contain; links to files are text. */
export function filesOf(parts: readonly RemotePart[]): RemoteFile[] {
  return parts.flatMap(({ raw, filename, mediaType, file }) => {
    const base64 = raw ?? file?.bytes ?? undefined;
    if (base64 === undefined) return [];
    const name = filename ?? file?.name ?? undefined;
    return [{ name, mediaType: mediaType ?? file?.mimeType ?? UNKNOWN_TYPE, base64 }];
  });
}

/** What a status says to people: a remote agent may repeat its text as data for programs, which is left out. */
export function sayingOf(parts: readonly RemotePart[]): string {
  const forPeople = parts.filter(({ data }) => data === undefined);
  return textOf(forPeople) || textOf(parts);
}

/** Texts continue each other, as agents append them piece by piece; data, links and files are paragraphs of their own. */
export function textOf(given: readonly RemotePart[]): string {
  let joined = "";
  let isParagraph = false;
  for (const part of given) {
    const piece = partText(part);
    const wasParagraph = isParagraph;
    isParagraph = part.text === undefined;
    const separator = joined !== "" && piece !== "" && (wasParagraph || isParagraph) ? "\n\n" : "";
    joined += separator + piece;
  }
  return joined;
}

function partText(part: RemotePart): string {
  const { text, data, url, filename, file } = part;
  if (text !== undefined) return text;
  const link = url ?? file?.uri;
  const name = filename ?? file?.name ?? "file";
  if (link != null) return `[${name}](${link})`;
  if (filesOf([part]).length > 0) return `[${name}]`;
  return data === undefined ? "" : JSON.stringify(data);
}
