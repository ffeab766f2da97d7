import { z } from "zod";

// An export is a folder: the header, the rows of each table in compressed parts, the contents of files, and at the end the
// manifest with its seal. Progress is noted in a file of its own, so that an export that was interrupted continues.

/** The version of the format. */
export const FORMAT = 1;

/** The names in the folder. */
export const NAMES = {
  header: "muster-workspace.json",
  progress: "progress.ndjson",
  tables: "tables",
  files: "files",
  manifest: "manifest.json",
  seal: "manifest.seal",
} as const;

const sha256 = z.hex().length(64);

/** What an import must know before the first row. */
export const headerSchema = z.strictObject({
  format: z.int(),
  /** The version of Muster, and of its schema. */
  muster: z.string(),
  schema: z.int(),
  workspace: z.strictObject({ id: z.uuid(), slug: z.string(), name: z.string() }),
  /** Since when it is held; it must be so until the export ends. */
  held_at: z.string(),
  began_at: z.iso.datetime(),
  /** The salt of the passphrase, and a text that it encrypts. */
  salt: z.string(),
  check: z.string(),
  /** The columns of each table, in the order of the import. */
  tables: z.array(z.strictObject({ name: z.string(), columns: z.array(z.string()) })),
  /** What stays behind, and why. */
  left_out: z.array(z.string()),
});

/** See {@link headerSchema}. */
export type Header = z.infer<typeof headerSchema>;

/** A part of a table. */
export const partSchema = z.strictObject({
  table: z.string(),
  part: z.int().min(1),
  rows: z.int(),
  bytes: z.int(),
  sha256,
});

/** See {@link partSchema}. */
export type Part = z.infer<typeof partSchema>;

/** A content of a file. */
export const contentSchema = z.strictObject({ key: z.string(), bytes: z.int(), sha256 });

/** See {@link contentSchema}. */
export type Content = z.infer<typeof contentSchema>;

/** What the folder holds. */
export const manifestSchema = z.strictObject({
  header_sha256: sha256,
  parts: z.array(partSchema),
  files: z.array(contentSchema),
  /** Contents that the store had lost. */
  missing: z.array(z.string()),
  /** Usage of before is in the sums. */
  usage_until: z.string(),
  ended_at: z.iso.datetime(),
});

/** See {@link manifestSchema}. */
export type Manifest = z.infer<typeof manifestSchema>;

/** A complete export. */
export interface Described {
  readonly header: Header;
  readonly manifest: Manifest;
}

/** A workspace cannot be exported or imported; the message is one sentence that says why. */
export class MoveError extends Error {
  override readonly name = "MoveError";
}

/** The path of a part below the folder. */
export function pathOf({ table, part }: Pick<Part, "table" | "part">): string {
  return `${NAMES.tables}/${table}/${part}.gz`;
}
