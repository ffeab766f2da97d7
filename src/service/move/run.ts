import { readFile } from "node:fs/promises";
import { findBySlug } from "#operations/accounts/instance-workspaces.ts";
import { recordExport } from "#operations/accounts/operate.ts";
import { formatSize } from "#lib/text/format-size.ts";
import { openBlobs } from "../open-blobs.ts";
import { operate } from "../operator.ts";
import { untilStopped } from "../until-stopped.ts";
import { exportWorkspace } from "./export.ts";
import type { Described } from "./format.ts";
import { abandonImport, importWorkspace } from "./import.ts";
import type { Imported } from "./import.ts";

/** What a command moves. */
export interface ToMove {
  readonly folder: string;
  readonly passphrase: string;
}

/** Reads a passphrase from the first line of a file. */
export async function readPassphrase(path: string): Promise<string> {
  const [line = ""] = (await readFile(path, "utf8")).split(/\r?\n/);
  return line;
}

/** Exports the held workspace with this slug or id into a folder. */
export function exportHere(slug: string, to: ToMove): Promise<Described> {
  return operate((db, { url, secrets }, config) =>
    untilStopped(async (signal) => {
      const workspaceId = await findBySlug(db, slug);
      const blobs = openBlobs(config);
      const described = await exportWorkspace({ ...to, url, workspaceId, secrets, blobs, warn: note, signal });
      await recordExport(db, workspaceId);
      note(`Exported ${described.header.workspace.slug} into ${to.folder}: ${summaryOf(described)}.`);
      return described;
    }),
  );
}

/** Imports the workspace of a folder, which stays held. */
export function importHere(from: ToMove): Promise<Imported> {
  return operate((db, { url, secrets }, config) =>
    untilStopped(async (signal) => {
      const imported = await importWorkspace({ ...from, url, db, secrets, blobs: openBlobs(config), signal });
      tell(imported);
      return imported;
    }),
  );
}

/** Forgets what an interrupted import of a folder has staged. */
export function abandonHere(folder: string): Promise<void> {
  return operate(async (_, { url }) => {
    await abandonImport(url, folder);
    note("The import is abandoned: nothing of it is left in the database, and its files are deleted within a day.");
  });
}

function tell(imported: Imported): void {
  const { slug, people, header } = imported;
  if (people === undefined) return note(`${slug} was imported from this export before; nothing was changed.`);
  note(`Imported ${slug}: ${summaryOf(imported)}.`);
  if (slug !== header.workspace.slug) note(`Its slug is ${slug}, because ${header.workspace.slug} is taken.`);
  for (const { email, is_new, is_program } of people) {
    if (is_program) continue;
    note(
      is_new
        ? `${email} has a new account. Invite this person with: muster reset-password ${email}`
        : `${email} has the account that was here.`,
    );
  }
  for (const what of header.left_out) note(`Left out: ${what}.`);
  note(`It is held: it is read as before, and nothing runs in it. Let it act with: muster ops release ${slug}`);
}

function summaryOf({ manifest: { parts, files, missing } }: Described): string {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const tables = new Set(parts.map(({ table }) => table)).size;
  const size = formatSize(sum([...parts, ...files].map(({ bytes }) => bytes)));
  const lost = missing.length === 0 ? "" : `, without ${missing.length} that the store had lost`;
  return `${sum(parts.map(({ rows }) => rows))} rows of ${tables} tables and ${files.length} files${lost} (${size})`;
}

/** Standard output is for `--json`. */
function note(line: string): void {
  process.stderr.write(`${line}\n`);
}
