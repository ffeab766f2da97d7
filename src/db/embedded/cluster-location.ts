import { createHash } from "node:crypto";
import { chmodSync, existsSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { z } from "zod";
import { createFolder } from "#lib/create-folder.ts";
import { canEnter, ensureProtectedFolder } from "./folder-trust.ts";
import { NoLocalPostgresError } from "./no-local-postgres.ts";
import { chooseServerAccount, type ServerAccount } from "./server-account.ts";

/** The major version of the binaries in package.json. Other major versions cannot read its files. */
export const POSTGRES_MAJOR = 18;

/** What to do with the files of another major version. */
export const MOVE_IT =
  `and this version of Muster has PostgreSQL ${POSTGRES_MAJOR}, which cannot read it. ` +
  "Back it up with the version of Muster that created it, and restore it with this one: docs/backup.md#another-major-version-of-postgresql";

/** The location of a cluster whose account could not reach it in the data folder. */
const STATE_FOLDER = "/var/lib/muster";

/** The file of a data folder that says where its embedded database is. */
export const RECORD_FILE = "database.json";

const recordSchema = z.object({ engine: z.string(), directory: z.string() });

/** The paths of one embedded PostgreSQL, and the account that runs it. */
export interface ClusterLocation {
  /** The data folder of the service; also holds the server's log. */
  readonly dataFolder: string;
  /** The folder around `home`; only the owner of the data folder writes here. */
  readonly base: string;
  /** The private folder of the server's account. */
  readonly home: string;
  /** The cluster, PostgreSQL's data directory. */
  readonly dataDirectory: string;
  readonly account: ServerAccount;
  /** One sentence for the operator when the cluster is outside the data folder. */
  readonly notice?: string;
}

/**
 * Decides on the location of `dataFolder`'s cluster, and creates the data folder if needed. `database.json` in it
 * records the decision (see {@link recordLocation}), so later starts use the same location.
 * @throws {NoLocalPostgresError} when the data folder belongs to another engine or major version, or no account can
 * reach a possible location
 */
export function chooseLocation(dataFolder: string): ClusterLocation {
  const isRoot = process.getuid?.() === 0;
  // The server's account needs to enter, not to list.
  const mode = isRoot ? 0o711 : 0o700;
  // The umask may have removed permissions that the account needs.
  if (createFolder(dataFolder, mode)) chmodSync(dataFolder, mode);
  const folder = realpathSync(dataFolder);
  const recorded = readRecord(folder);
  if (recorded) return locationAt(folder, recorded);
  const account = chooseServerAccount(join(folder, "postgres"));
  if (canEnter(account, folder)) return locationAt(folder, folder);
  return locationAt(folder, stateFolderFor(folder));
}

/** Writes kind, major version and location of the cluster into the data folder. */
export function recordLocation(location: ClusterLocation): void {
  const file = join(location.dataFolder, RECORD_FILE);
  if (existsSync(file)) return;
  const directory = location.base === location.dataFolder ? "." : location.base;
  const scratch = `${file}.${process.pid}`;
  writeFileSync(scratch, `${JSON.stringify({ engine: `postgresql ${POSTGRES_MAJOR}`, directory })}\n`);
  renameSync(scratch, file);
}

function readRecord(folder: string): string | undefined {
  const file = join(folder, RECORD_FILE);
  if (!existsSync(file)) return undefined;
  const { engine, directory } = recordSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  if (engine !== `postgresql ${POSTGRES_MAJOR}`) {
    throw new NoLocalPostgresError(
      `${folder} was created by ${engine.replace("postgresql", "PostgreSQL")}, ${MOVE_IT}`,
    );
  }
  const base = resolve(folder, directory);
  if (!existsSync(join(base, "postgres"))) {
    throw new NoLocalPostgresError(
      `the database of ${folder} was in ${join(base, "postgres")}, which is missing; restore it, or delete ${file} to begin with an empty one`,
    );
  }
  return base;
}

function locationAt(dataFolder: string, base: string): ClusterLocation {
  const home = join(base, "postgres");
  const account = chooseServerAccount(home);
  if (!canEnter(account, base)) {
    throw new NoLocalPostgresError(
      `user ${account.name}, which runs PostgreSQL for root, cannot access ${base} or a folder above it`,
    );
  }
  const location = { dataFolder, base, home, dataDirectory: join(home, "data"), account };
  if (base === dataFolder) return location;
  const notice = `The database is in ${base}, because user ${account.name}, which runs PostgreSQL for root, cannot access ${dataFolder}.`;
  return { ...location, notice };
}

function stateFolderFor(folder: string): string {
  const hash = createHash("sha256").update(folder).digest("hex").slice(0, 12);
  const base = join(STATE_FOLDER, `${basename(folder).replace(/^\.+/, "")}-${hash}`);
  try {
    ensureProtectedFolder(STATE_FOLDER);
    ensureProtectedFolder(base);
  } catch (error) {
    throw new NoLocalPostgresError(
      `${folder} cannot be entered by another user than root, and ${base} cannot be used`,
      {
        cause: error,
      },
    );
  }
  return base;
}
