import { oneOf, textOf } from "../../lib/search.ts";

/** What kinds of files can be chosen, and the beginning of their media types. */
export const FILE_KINDS = [
  { value: "image", label: "Images", type: "image/" },
  { value: "text", label: "Text", type: "text/" },
  { value: "json", label: "JSON", type: "application/json" },
  { value: "pdf", label: "PDF", type: "application/pdf" },
  { value: "word", label: "Word", type: "application/vnd.openxmlformats" },
] as const;

const KIND_NAMES = FILE_KINDS.map(({ value }) => value);
const DIRECTIONS = ["input", "output"] as const;

/** The search parameters of the list of files. */
export interface FilesSearch {
  readonly q?: string;
  readonly kind?: (typeof FILE_KINDS)[number]["value"];
  readonly direction?: (typeof DIRECTIONS)[number];
  /** The file that is open beside the list. */
  readonly file?: string;
  readonly add?: "files";
}

/** Reads the search parameters; unknown ones are dropped. */
export function readFilesSearch(search: Record<string, unknown>): FilesSearch {
  const [q, file] = [textOf(search["q"]), textOf(search["file"])];
  const kind = oneOf(search["kind"], KIND_NAMES);
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
