import { z } from "zod";
import { givenId } from "../given-id.ts";
import { FILE_DIRECTIONS } from "./file.ts";

/** The maximum number of files of a task or a run. */
export const MAX_ATTACHMENTS = 20;

/** The files of a new task or run: ids of uploads, each once. */
export const attachmentIds = z
  .array(givenId)
  .max(MAX_ATTACHMENTS)
  .refine((ids) => new Set(ids).size === ids.length, "each file can be attached only once")
  .default([])
  .describe("Ids of uploaded files that are not attached to a task or run yet.");

/** A file in the record of its task or run. */
export const attachmentRecord = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  type: z.string(),
  size: z.int(),
  direction: z.enum(FILE_DIRECTIONS),
});

/** A file as a model receives it: its text, an image, or the reason for neither. */
export type AttachedFile = { readonly id: string; readonly name: string; readonly type: string } & (
  | { readonly text: string }
  | { readonly image: Uint8Array }
  | { readonly unread: string }
);

/** Returns the section of a prompt about the attached files. */
export function attachedSection(files: readonly AttachedFile[]): string {
  return ["Attached Files:", ...files.map(asText)].join("\n\n");
}

function asText(file: AttachedFile): string {
  const opening = `<file name="${file.name}" type="${file.type}">`;
  if ("text" in file) return `${opening}\n${file.text}\n</file>`;
  return `${opening}${"image" in file ? "The image is part of this message." : file.unread}</file>`;
}
