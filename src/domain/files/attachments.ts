import { z } from "zod";
import { givenId } from "../given-id.ts";
import { FILE_DIRECTIONS } from "./file.ts";

/** The most files that a task or a run can be given. */
export const MAX_ATTACHMENTS = 20;

/** The files that a new task or run is given: ids of uploads, each once. */
export const attachmentIds = z
  .array(givenId)
  .max(MAX_ATTACHMENTS)
  .refine((ids) => new Set(ids).size === ids.length, "each file can be attached only once")
  .default([])
  .describe("Ids of files that were uploaded and belong to no task or run yet.");

/** A file in the record of its task or run. */
export const attachmentRecord = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  type: z.string(),
  size: z.int(),
  direction: z.enum(FILE_DIRECTIONS),
});

/** A file as a model is given it: its text, a picture, or the reason why there is neither. */
export type AttachedFile = { readonly id: string; readonly name: string; readonly type: string } & (
  | { readonly text: string }
  | { readonly image: Uint8Array }
  | { readonly unread: string }
);

/** What a model is told of its files, behind what it is to do. */
export function attachedSection(files: readonly AttachedFile[]): string {
  return ["Attached Files:", ...files.map(asText)].join("\n\n");
}

function asText(file: AttachedFile): string {
  const opening = `<file name="${file.name}" type="${file.type}">`;
  if ("text" in file) return `${opening}\n${file.text}\n</file>`;
  return `${opening}${"image" in file ? "The picture comes with this message." : file.unread}</file>`;
}
