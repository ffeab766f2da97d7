import { formatSize } from "#lib/text/format-size.ts";
import { assertHere } from "../operator.ts";
import { prepare, runOrExit } from "../prepare.ts";
import { untilStopped } from "../until-stopped.ts";
import type { Described } from "./format.ts";
import { makeBackup } from "./make-backup.ts";
import { readBackup } from "./read-backup.ts";
import { restoreBackup } from "./restore.ts";

/** Backs up the configured service. @param path the file; `-` for standard output */
export async function backUp(path: string): Promise<void> {
  await runOrExit(async () => {
    const { config } = await prepare();
    assertHere(config);
    const described = await untilStopped((signal) => makeBackup({ config, path, warn: note, signal }));
    note(`Backed up ${summaryOf(described)}.`);
    note(`It needs the encryption key ${described.header.key}, which is not in it. Keep that elsewhere.`);
  });
}

/** Reads a backup to its end and checks it; needs no settings. */
export async function verifyBackup(path: string): Promise<void> {
  await runOrExit(async () => {
    const described = await readBackup(path);
    const { muster, schema, key, began_at } = described.header;
    print(`${path} is complete: ${summaryOf(described)}.`);
    print(`Made at ${began_at} by Muster ${muster}, schema ${schema}, for the encryption key ${key}.`);
  });
}

/** Restores a backup into the configured database, which must be empty. */
export async function restore(path: string): Promise<void> {
  await runOrExit(async () => {
    const { config } = await prepare();
    const described = await untilStopped((signal) => restoreBackup({ config, path, warn: note, signal }));
    print(`Restored ${summaryOf(described)}.`);
    print("The copy is held: once started, it only serves reads. Let it act with: muster restore --release");
  });
}

function summaryOf({ manifest: { tables, files } }: Described): string {
  const all = Object.values(tables);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const size = formatSize(sum(all.map(({ bytes }) => bytes)) + files.bytes);
  const lost = files.missing === 0 ? "" : `, without ${files.missing} that the store had lost`;
  return `${sum(all.map(({ rows }) => rows))} rows of ${all.length} tables and ${files.count} files${lost} (${size})`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Standard output may be the backup. */
function note(line: string): void {
  process.stderr.write(`${line}\n`);
}
