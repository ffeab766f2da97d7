import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject } from "vitest";
import { apiOf } from "../support/api.ts";
import { inDatabase, onServer } from "../support/database.ts";
import { openLine } from "../support/database/database-line.ts";
import { eventually } from "../support/eventually.ts";
import { uploadTo } from "../support/files.ts";
import { NODE_ENVIRONMENT } from "../support/hosts/node-environment.ts";
import { ENCRYPTION_KEY, createDatabase, startProcess } from "../support/service.ts";
import type { TestDatabase } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { sql } from "../support/workspace.ts";

const MAIN = join(import.meta.dirname, "../../src/main.ts");
const STACK = /^\s+at /m;
const isRoot = process.getuid?.() === 0;
/** As containers have it: in no list of accounts. */
const NAMELESS = 123_456;
/** Where Debian's package puts it. */
const NSS_WRAPPER = "/usr/lib/*-linux-gnu/libnss_wrapper.so";
/** Root may write everywhere, so its tests start the service as another user. */
const UNPRIVILEGED = isRoot ? { uid: 65_533, gid: 65_533 } : {};
const canRunUnprivileged = !isRoot || spawnSync(process.execPath, ["-e", ""], UNPRIVILEGED).status === 0;

let database: TestDatabase;
let folder: string;
/** Compiled code for {@link UNPRIVILEGED}, which cannot read that of the other tests: without it each start takes seconds. */
let compiled: string;
beforeAll(async () => {
  compiled = await mkdtemp(join(tmpdir(), "muster-compiled-"));
  await chmod(compiled, 0o777);
});
afterAll(() => rm(compiled, { recursive: true, force: true }));
beforeEach(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), "muster-start-"));
  await chmod(folder, 0o755);
});
afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

/** Starts the service as {@link UNPRIVILEGED} and returns what it wrote before it ended with code 1. */
function rejectedUnprivileged(env: Readonly<Record<string, string | undefined>>): Promise<string> {
  return rejectedStart({ NODE_COMPILE_CACHE: compiled, ...env }, UNPRIVILEGED);
}

/** Starts the service and returns what it wrote before it ended with code 1. */
async function rejectedStart(
  env: Readonly<Record<string, string | undefined>>,
  user: typeof UNPRIVILEGED = {},
): Promise<string> {
  const child = spawn(process.execPath, [MAIN], {
    cwd: tmpdir(),
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...NODE_ENVIRONMENT, PORT: "0", DATABASE_URL: database.url, LOG_LEVEL: "error", ...env },
    ...user,
  });
  const [written, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect({ code, written }).toMatchObject({ code: 1 });
  expect(written).not.toMatch(STACK);
  return written;
}

verifies(
  "operations.start.missing-grant",
  "the error for a role that may not prepare the database lists the missing grants",
  async () => {
    const name = `muster_poor_${Date.now()}`;
    await onServer(inject("serverUrl"), `create role ${name} login password 'hush-hush'`);
    const url = new URL(database.url);
    url.username = name;
    url.password = "hush-hush";
    const output = await rejectedStart({ DATABASE_URL: url.href, ENCRYPTION_KEY, MUSTER_DATA: folder });
    expect(output).toMatch(
      new RegExp(
        `^DATABASE_URL: the role ${name} .*permission denied.*CREATE on the database.*TO ${name} WITH ADMIN OPTION`,
        "m",
      ),
    );
    expect(output).not.toContain("hush-hush");
    await onServer(inject("serverUrl"), `drop role ${name}`);
  },
);

verifies("operations.start.encoding", "a database that is not UTF8 is named with the statement for one", async () => {
  const name = `muster_ascii_${Date.now()}`;
  await onServer(inject("serverUrl"), `create database ${name} template template0 encoding 'SQL_ASCII' locale 'C'`);
  const DATABASE_URL = inDatabase(inject("serverUrl"), name);
  const output = await rejectedStart({ DATABASE_URL, ENCRYPTION_KEY, MUSTER_DATA: folder });
  expect(output).toMatch(/^DATABASE_URL: the encoding of this database is SQL_ASCII; Muster needs UTF8\. .*'UTF8'/m);
  expect(output).not.toMatch(STACK);
  await onServer(inject("serverUrl"), `drop database ${name}`);
});

verifies(
  "operations.start.lost-connection",
  "a start whose database stays away ends after half a minute, with an error without a stack",
  async () => {
    const ends = [
      { sent: /pg_try_advisory_lock/, end: /^DATABASE_URL: no PostgreSQL answers at \S+ within 30 s/m },
      { sent: /register-executor/, end: /^The connection to PostgreSQL was lost during the start .*: start again\.$/m },
    ];
    for (const { sent, end } of ends) {
      const line = await openLine(database.url);
      const isCut = line.cutOnceAt(sent);
      const starting = rejectedStart({ DATABASE_URL: line.url, ENCRYPTION_KEY, MUSTER_DATA: folder });
      await eventually("the connection is cut", async () => isCut());
      line.close();
      expect(await starting).toMatch(end);
    }
  },
  90_000,
);

verifies("ops.replica.alone", "a replica without its database ends the start", async () => {
  const output = await rejectedStart({ DATABASE_URL: "", DATABASE_READ_URL: database.url, MUSTER_DATA: folder });
  expect(output).toContain("DATABASE_READ_URL is set without DATABASE_URL. Set both.");
});

verifies("operations.start.no-key-left", "a failed start leaves no new encryption key", async () => {
  const name = `muster_bare_${Date.now()}`;
  await onServer(inject("serverUrl"), `create role ${name} login noinherit password 'x'`);
  const url = new URL(database.url);
  url.username = name;
  url.password = "x";
  const output = await rejectedStart({ DATABASE_REQUEST_URL: url.href, MUSTER_DATA: folder });
  expect(output).toMatch(/DATABASE_REQUEST_URL: the role .* is not a member of/);
  expect((await readdir(folder)).filter((file) => file.startsWith("encryption"))).toEqual([]);
  expect(await sql(database.url, "select from instance_settings where key like 'encryption%'")).toEqual([]);
  await onServer(inject("serverUrl"), `drop role ${name}`);
});

describe.runIf(canRunUnprivileged)("a data folder in which the service may not write", () => {
  verifies("operations.start.data-folder", "is named with its setting, whatever is to be stored there", async () => {
    const closed = join(folder, "closed");
    await mkdir(closed, { mode: 0o555 });
    const line = await openLine(database.url);
    for (const env of [{ DATABASE_URL: "" }, { DATABASE_URL: line.url }, { DATABASE_URL: line.url, ENCRYPTION_KEY }]) {
      for (const MUSTER_DATA of [closed, join(closed, "below")]) {
        const output = await rejectedUnprivileged({ MUSTER_DATA, ...env });
        expect(output).toMatch(/^MUSTER_DATA: EACCES: .*\. Let the user that runs Muster write there/m);
        expect(output).toContain(closed);
      }
    }
    line.close();
    expect(existsSync(join(closed, "encryption.key"))).toBe(false);
  });

  verifies("operations.start.data-folder", "is named where only the key cannot be stored", async () => {
    const data = join(folder, "data");
    await mkdir(join(data, "files"), { recursive: true });
    await chmod(join(data, "files"), 0o777);
    await chmod(data, 0o555);
    const line = await openLine(database.url);
    const output = await rejectedUnprivileged({ MUSTER_DATA: data, DATABASE_URL: line.url });
    line.close();
    expect(output).toMatch(/^MUSTER_DATA: EACCES: .*encryption\.key/m);
  });
});

describe.runIf(isRoot && canMount())("a data folder on a file system that is read-only", () => {
  verifies("operations.start.data-folder", "is named with its setting and the reason", async () => {
    spawnSync("mount", ["-t", "tmpfs", "-o", "ro", "tmpfs", folder]);
    try {
      for (const env of [{ DATABASE_URL: "" }, { ENCRYPTION_KEY }]) {
        const output = await rejectedStart({ ...env, MUSTER_DATA: join(folder, "data") });
        expect(output).toMatch(/^MUSTER_DATA: EROFS: .*The file system is read-only: make it writable/m);
      }
    } finally {
      spawnSync("umount", [folder]);
    }
  });
});

describe.runIf(process.platform === "linux")("a machine that gives too little", () => {
  verifies("operations.start.files", "is told how many files may be open, and how to raise it", async () => {
    const limited = spawn("sh", ["-c", 'ulimit -n 64; exec "$0" "$1"', process.execPath, MAIN], {
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...NODE_ENVIRONMENT, PORT: "0", MUSTER_DATA: folder },
    });
    expect(await text(limited.stderr)).toMatch(/^This process may open 64 files \(ulimit -n\), and Muster needs 256/);
  });
});

describe.runIf(isRoot && canRunUnprivileged)("a user without a name", () => {
  verifies(
    "start.embedded.nameless-user",
    "is told what to do, or gets its database if nss_wrapper is there",
    async () => {
      await chmod(folder, 0o777);
      if (globSync(NSS_WRAPPER).length === 0) {
        expect(await startNameless().outcome).toMatch(/user 123456 has no name on this system; add a line for it/);
        spawnSync("apt-get", ["-q", "-y", "install", "libnss-wrapper"], { stdio: "ignore" });
        if (globSync(NSS_WRAPPER).length === 0) return;
      }
      for (const _ of ["first", "second"]) {
        const { outcome, stop } = startNameless();
        expect(await outcome).toContain("Muster is ready");
        await stop();
      }
      expect((await readdir(join(folder, "data", "postgres"))).filter((name) => name.startsWith("initdb"))).toEqual([]);
    },
  );
});

/** Starts as a user without a name. `outcome`: what it has written when it is ready or has ended. */
function startNameless() {
  const env = { HOME: folder, PORT: "0", MUSTER_DATA: join(folder, "data") };
  const child = spawn(process.execPath, [MAIN], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...NODE_ENVIRONMENT, NODE_COMPILE_CACHE: compiled, ...env },
    uid: NAMELESS,
    gid: 0,
  });
  let written = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => (written += chunk.toString()));
  }
  const ended = once(child, "exit");
  const outcome = eventually("it is ready or has ended", () =>
    child.exitCode !== null || written.includes("Muster is ready") ? written : undefined,
  );
  return {
    outcome,
    async stop() {
      child.kill();
      await ended;
    },
  };
}

verifies("operations.start.waits-for-database", "a start that waits for its database says so immediately", async () => {
  const line = await openLine(database.url);
  line.close();
  const env = { ...NODE_ENVIRONMENT, PORT: "0", DATABASE_URL: line.url, LOG_LEVEL: "warn", MUSTER_DATA: folder };
  const child = spawn(process.execPath, [MAIN], { cwd: tmpdir(), stdio: ["ignore", "ignore", "pipe"], env });
  const ended = once(child, "exit");
  let written = "";
  child.stderr.on("data", (chunk: Buffer) => (written += chunk.toString()));
  try {
    await eventually("the wait is announced", async () =>
      /DATABASE_URL: waiting up to 30 s for PostgreSQL at \S+ \(.*ECONNREFUSED/.test(written),
    );
  } finally {
    child.kill();
    await ended;
  }
});

describe.runIf(isRoot && canMount())("a data folder on a disk that is full", () => {
  verifies("operations.start.disk-full", "is named with its setting, by the start and by an upload", async () => {
    spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k,nr_inodes=64", "tmpfs", folder]);
    try {
      spawnSync("dd", ["if=/dev/zero", `of=${join(folder, "filler")}`, "bs=4k"]);
      const output = await rejectedStart({ MUSTER_DATA: folder });
      expect(output).toMatch(/^MUSTER_DATA: ENOSPC: .*The disk is full: free some space/m);
      expect((await readdir(folder)).filter((file) => file.startsWith("encryption"))).toEqual([]);
      const service = await startProcess({ databaseUrl: database.url, env: { MUSTER_DATA: folder } });
      try {
        const file = { name: "a.txt", type: "text/plain", content: "x".repeat(8_192) };
        await expect(uploadTo(service, file)).rejects.toThrow(/storage_full/);
        expect(service.output().stderr).toMatch(/MUSTER_DATA: the files in .*ENOSPC/);
        expect((await apiOf(service, service.keys.api).get("/api-me")).status).toBe(200);
      } finally {
        await service.stop();
      }
    } finally {
      spawnSync("umount", [folder]);
    }
  });
});

function canMount(): boolean {
  return spawnSync("unshare", ["--mount", "true"]).status === 0;
}
