import { existsSync, lchownSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { canEnter, isPrivateFolder } from "./folder-trust.ts";
import { NoLocalPostgresError } from "./no-local-postgres.ts";
import type { ClusterLocation } from "./cluster-location.ts";

/** The socket's name is part of the address: PostgreSQL and its clients derive it from the port, which is 5432. */
const SOCKET_NAME = ".s.PGSQL.5432";

/** The kernel limits a socket's path to 108 bytes on Linux and 104 on macOS, including a final zero byte. */
const MAX_SOCKET_PATH_BYTES = 103;

const RECORD_FILE = "socket-folder.json";

const recordSchema = z.object({ folder: z.string(), dataDirectory: z.string() });

/**
 * The private folder of the server's socket: the home of the cluster, or, if its path is too long for a socket, a
 * randomly named folder in a temporary folder. That one is recorded and reused as long as it is still ours, so
 * addresses stay valid when the server restarts.
 * @throws {NoLocalPostgresError} when no temporary folder has a short enough path
 */
export function socketFolder(location: ClusterLocation): string {
  if (fits(location.home)) return location.home;
  const record = join(location.dataFolder, RECORD_FILE);
  const known = readRecord(record, location);
  if (known) return known;
  const folder = makeTemporaryFolder(location);
  const scratch = `${record}.${process.pid}`;
  writeFileSync(scratch, `${JSON.stringify({ folder, dataDirectory: location.dataDirectory })}\n`);
  renameSync(scratch, record);
  return folder;
}

/** A record in a copied data folder names the original's socket, which is not ours. */
function readRecord(file: string, location: ClusterLocation): string | undefined {
  if (!existsSync(file)) return undefined;
  const { folder, dataDirectory } = recordSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  return dataDirectory === location.dataDirectory && isPrivateFolder(folder, location.account) ? folder : undefined;
}

function makeTemporaryFolder(location: ClusterLocation): string {
  const parent = [tmpdir(), "/tmp", "/run"].find(
    (path) => existsSync(path) && fits(join(path, "muster-XXXXXX")) && canEnter(location.account, path),
  );
  if (!parent)
    throw new NoLocalPostgresError(
      `the path of ${location.home} is too long for a socket, and so are the temporary folders`,
    );
  const folder = mkdtempSync(join(parent, "muster-"));
  if (location.account.differs) lchownSync(folder, location.account.uid, location.account.gid);
  return folder;
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, SOCKET_NAME)) <= MAX_SOCKET_PATH_BYTES;
}
