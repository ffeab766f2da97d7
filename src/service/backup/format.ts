import { z } from "zod";

// A backup is a tar.gz: the header, the rows of each table in parts, the contents of files, the manifest and its digest.

/** The version of the format. */
export const FORMAT = 1;
/** The names in the archive. */
export const NAMES = {
  header: "muster-backup.json",
  tables: "tables/",
  files: "files/",
  manifest: "manifest.json",
  digest: "manifest.sha256",
} as const;

const sha256 = z.hex().length(64);

/** The first entry: what a restore must know before the first row. */
export const headerSchema = z.object({
  format: z.number().int(),
  /** The version of Muster, and of its schema. */
  muster: z.string(),
  schema: z.number().int(),
  postgres: z.string(),
  /** The fingerprint of the encryption key, which is not in the backup. */
  key: z.string(),
  /** During the change of the key: the fingerprints of both. */
  keys: z.array(z.string()).optional(),
  /** The generations of its data keys. */
  data_keys: z.array(z.number().int()).optional(),
  began_at: z.iso.datetime(),
  /** The columns of each table. */
  tables: z.record(z.string(), z.array(z.string())),
});

/** See {@link headerSchema}. */
export type Header = z.infer<typeof headerSchema>;

/** The last entry but its digest: what the backup holds. */
export const manifestSchema = z.object({
  header_sha256: sha256,
  tables: z.record(z.string(), z.object({ rows: z.number().int(), bytes: z.number().int(), sha256 })),
  files: z.object({
    count: z.number().int(),
    bytes: z.number().int(),
    sha256,
    /** Contents that the store had lost. */
    missing: z.number().int(),
  }),
  ended_at: z.iso.datetime(),
});

/** See {@link manifestSchema}. */
export type Manifest = z.infer<typeof manifestSchema>;

/** A backup as a whole. */
export interface Described {
  readonly header: Header;
  readonly manifest: Manifest;
}

/** A backup cannot be made, read or restored; the message is one sentence that says why. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}
