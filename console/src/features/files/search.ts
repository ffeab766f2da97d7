import { oneOf, textOf } from "../../lib/search.ts";

/** What kinds of files can be chosen. */
export const FILE_KINDS = ["image", "text", "json", "pdf", "word"] as const;
/** Whether files were given to work, or came out of it. */
export const DIRECTIONS = ["input", "output"] as const;

/** The search parameters of the list of files. */
export interface FilesSearch {
  readonly q?: string;
  readonly kind?: (typeof FILE_KINDS)[number];
  readonly direction?: (typeof DIRECTIONS)[number];
  /** The file that is open beside the list. */
  readonly file?: string;
  readonly add?: "files";
}

/** Reads the search parameters; unknown ones are dropped. */
export function readFilesSearch(search: Record<string, unknown>): FilesSearch {
  const [q, file] = [textOf(search["q"]), textOf(search["file"])];
  const kind = oneOf(search["kind"], FILE_KINDS);
  const direction = oneOf(search["direction"], DIRECTIONS);
  const add = oneOf(search["add"], ["files"]);
  return {
    ...(q !== undefined && { q }),
    ...(kind && { kind }),
    ...(direction && { direction }),
    ...(file !== undefined && { file }),
    ...(add && { add }),
  };
}

/** Whether a filter hides files. */
export function isFiltered({ q, kind, direction }: FilesSearch): boolean {
  return q !== undefined || kind !== undefined || direction !== undefined;
}
