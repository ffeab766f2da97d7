import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { chooseServerAccount } from "#db/embedded/server-account.ts";
import type { ServerAccount } from "#db/embedded/server-account.ts";
import { freePort } from "../free-port.ts";
import { sql } from "../workspace.ts";
import { eventually } from "../eventually.ts";
import { openDisk } from "./disk.ts";
import type { Disk } from "./disk.ts";
import { documentedFile } from "./documented-file.ts";
import { openHostLine } from "./host-line.ts";
import { createNode } from "./node.ts";
import type { PostgresNode } from "./node.ts";
import { startPair } from "./pair.ts";
import type { Member, Pair } from "./pair.ts";
import type { Programs } from "./programs.ts";
import { startFrontends } from "./frontends.ts";
import type { Frontends } from "./frontends.ts";
import { runnerAs } from "./run-program.ts";
import type { Runner } from "./run-program.ts";

const REPLICATOR = "create role replicator login replication password 'replicator-password'";
/** Small disks: one is filled. */
const SIZES = { "max_wal_size = 1GB": "max_wal_size = 128MB", "wal_keep_size = 1GB": "wal_keep_size = 64MB" };
const LOOPBACK = { "10.0.0.0/24": "127.0.0.1/32", peer: "trust" };

/** A database that survives the loss of any one of its parts, as docs/high-availability.md has it. */
export interface Cluster {
  readonly pair: Pair;
  readonly frontends: Frontends;
  /** The disk of a server; undefined where none can be mounted. */
  diskOf(node: PostgresNode): Disk | undefined;
  /** The settings of Muster that lead to it. */
  readonly env: { readonly DATABASE_URL: string; readonly DATABASE_DIRECT_URL: string };
  close(): Promise<void>;
}

/** Starts two servers, haproxy and PgBouncer on loopback, with what the documentation says of each. */
export async function startCluster(programs: Programs): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), "muster-ha-"));
  const undo: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const step of undo.splice(0).toReversed()) await step();
  };
  return open(programs, folder, undo).then(
    (cluster) => ({ ...cluster, close }),
    async (error: unknown) => {
      await close();
      throw error;
    },
  );
}

async function open(programs: Programs, folder: string, undo: (() => unknown)[]): Promise<Omit<Cluster, "close">> {
  const account = chooseServerAccount(folder);
  const runner = runnerAs(account, await give(folder, account));
  await makeCertificate(programs.openssl, runner, folder);
  const disks = new Map<PostgresNode, Disk | undefined>();

  async function createMember(name: string): Promise<Member> {
    const place = await give(join(folder, name), account);
    const disk = await openDisk(place);
    undo.push(() => disk?.close());
    await give(place, account);
    const port = await freePort();
    const line = await openHostLine(port, await freePort());
    undo.push(line.close);
    const config = documentedFile("postgresql.conf", { "/etc/muster/": `${folder}/`, ...SIZES });
    const hba = documentedFile("pg_hba.conf", LOOPBACK);
    const node = createNode({ name, folder: place, bin: programs.postgres, runner, port, line, config, hba });
    undo.push(node.kill);
    disks.set(node, disk);
    return { node, checkPort: await freePort() };
  }

  const members = [await createMember("a"), await createMember("b")] as const;
  const pair = await startPair(members);
  undo.push(pair.close);
  await pair.primary().query(REPLICATOR);
  const roles = join(folder, "roles.sql");
  await writeFile(roles, documentedFile("roles.sql", {}));
  await pair.primary().runFile(roles);
  await pair.rejoin();
  const frontends = await startFrontends({ programs, runner, folder, members });
  undo.push(frontends.close);
  const env = settingsIn(
    documentedFile("muster.env", {
      ":5000": `:${frontends.ports.haproxy}`,
      ":6432": `:${frontends.ports.pgbouncer}`,
      "/etc/muster/": `${folder}/`,
    }),
  );
  for (const url of Object.values(env)) await eventually("the way to PostgreSQL is open", () => answers(url));
  return { frontends, pair, env, diskOf: (node) => disks.get(node) };
}

/** Makes a folder that belongs to an account. */
async function give(folder: string, { differs, uid, gid }: ServerAccount): Promise<string> {
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  if (differs) await chown(folder, uid, gid);
  return folder;
}

function answers(url: string): Promise<boolean> {
  return sql(url, "select 1").then(
    () => true,
    () => false,
  );
}

/** One certificate for all servers, which is its own authority. */
async function makeCertificate(openssl: string, { run }: Runner, folder: string): Promise<void> {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const [keyFile, certificate] = [join(folder, "server.key"), join(folder, "server.crt")];
  await run(openssl, "req", "-x509", "-days", "2", ...key, ...names, "-keyout", keyFile, "-out", certificate);
  await run("/bin/cp", certificate, join(folder, "ca.crt"));
}

function settingsIn(text: string): Cluster["env"] {
  const { DATABASE_URL = "", DATABASE_DIRECT_URL = "" } = parseEnv(text);
  return { DATABASE_URL, DATABASE_DIRECT_URL };
}
