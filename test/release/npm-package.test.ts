import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect } from "vitest";
import { apiOf } from "../support/api.ts";
import { pdfDocument } from "../support/documents.ts";
import { watchProcess } from "../support/muster.ts";
import type { MusterProcess } from "../support/muster.ts";
import { verifies } from "../support/verifies.ts";
import { QUICK, createAgent, createTask, taskIn } from "../support/work.ts";

const MINUTE = 60_000;
const ROOT = join(import.meta.dirname, "../..");
const MB = 1_000_000;
const MAX_PACKED = 3 * MB;
const MAX_INSTALLED = 180 * MB;
/** Others than npm, as npx starts them; pnpm links packages, and runs none of their scripts. */
const MANAGERS = [
  { name: "pnpm", add: ["pnpm@10.34.8", "add"] },
  { name: "yarn", add: ["yarn@1.22.22", "add"] },
] as const;

let place: string;
let project: string;
let tarball: string;
let served: Served;

/** A service of an installed package, after its first start. */
interface Served {
  readonly folder: string;
  readonly serving: MusterProcess;
  readonly url: string;
  readonly key: string;
}

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "muster-npm-"));
  await chmod(place, 0o755); // As root the database runs under another account, which has to reach its folder.
  project = await createProject("project");
  await run(process.execPath, ["scripts/package.ts"], ROOT);
  const packed = await run("npm", ["pack", "--silent", "--pack-destination", place], join(ROOT, ".runtime/package"));
  tarball = join(place, packed.trim());
  await run("npm", ["install", "--no-audit", "--no-fund", tarball], project);
}, 8 * MINUTE);
afterAll(async () => {
  served?.serving.process.kill("SIGTERM");
  await served?.serving.ended;
  await rm(place, { recursive: true });
});

verifies(
  "start.package.size",
  "the npm package has at most 3 MB packed and 180 MB installed, and no TypeScript",
  async () => {
    const { size } = await stat(tarball);
    const files = await readdir(join(project, "node_modules"), { recursive: true, withFileTypes: true });
    const own = join(project, "node_modules/muster-agents");
    expect(files.filter((file) => file.parentPath.startsWith(own) && file.name.endsWith(".ts"))).toEqual([]);
    const sizes = await Promise.all(
      files.filter((file) => file.isFile()).map(async (file) => (await stat(join(file.parentPath, file.name))).size),
    );
    const installed = sizes.reduce((sum, each) => sum + each, 0);
    console.info(`${(size / MB).toFixed(2)} MB packed, ${(installed / MB).toFixed(0)} MB installed`);
    expect(size).toBeLessThanOrEqual(MAX_PACKED);
    expect(installed).toBeLessThanOrEqual(MAX_INSTALLED);
  },
);

verifies(
  "start.package.first-start",
  "npx muster-agents in an empty folder makes the first start of npm start, and runs an agent",
  async () => {
    const begun = performance.now();
    served = await firstStart(project);
    console.info(`the first start took ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
    await runAgent(served);
  },
  MINUTE,
);

verifies("start.package.pages", "the package has the console, the API reference and its document", async () => {
  const { url } = served;
  const page = await (await fetch(`${url}/`, { headers: { accept: "text/html" } })).text();
  const [, script = ""] = /src="(\/assets\/main-[^"]+\.js)"/.exec(page) ?? [];
  const texts = await Promise.all(
    ["gzip", "identity"].map(async (encoding) =>
      (await fetch(url + script, { headers: { "accept-encoding": encoding } })).text(),
    ),
  );
  expect(texts[0]?.length).toBeGreaterThan(100_000);
  expect(texts[1]).toBe(texts[0]);
  for (const path of ["/docs", "/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js", "/openapi.json", "/version"]) {
    expect([path, (await fetch(url + path)).status]).toEqual([path, 200]);
  }
});

verifies(
  "start.package.documents",
  "the installed package reads a PDF, with the permissions of its process",
  async () => {
    await readPdf(served);
    await stop(served);
    expect(existsSync(join(project, ".muster/postgres/data/postmaster.pid"))).toBe(false);
  },
);

for (const { name, add } of MANAGERS) {
  verifies(
    "start.package.managers",
    `${name} installs the package, which starts, runs an agent and reads a PDF`,
    async () => {
      const folder = await createProject(name);
      await run("npx", ["--yes", ...add, `file:${tarball}`], folder);
      const service = await firstStart(folder);
      try {
        await runAgent(service);
        await readPdf(service);
      } finally {
        await stop(service);
      }
    },
    5 * MINUTE,
  );
}

async function createProject(name: string): Promise<string> {
  const folder = join(place, name);
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), "{}");
  return folder;
}

async function firstStart(folder: string): Promise<Served> {
  const serving = start(folder, "npx", ["muster-agents"]);
  const printed = await serving.prints(/auth\/setup\?token=\w+\n/);
  const [, url = ""] = /Muster is ready at (\S+)\n/.exec(printed) ?? [];
  const keys = await readFile(join(folder, ".muster/first-keys.env"), "utf8");
  const [, key = ""] = /^MUSTER_API_KEY=(mst_\w+)$/m.exec(keys) ?? [];
  return { folder, serving, url, key };
}

async function runAgent({ url, key }: Served): Promise<void> {
  const api = apiOf({ url }, key);
  const { id } = await createAgent(api);
  const task = await createTask(api, { description: QUICK, assigned_agent_id: id });
  expect((await taskIn(api, task.id, "completed")).result).toBe("done");
}

async function readPdf({ folder, url, key }: Served): Promise<void> {
  const file = join(folder, "ferry.pdf");
  await writeFile(file, pdfDocument(["The last ferry leaves at ten."]));
  const muster = (...args: readonly string[]) =>
    start(folder, "npx", ["muster", ...args], { MUSTER_URL: url, MUSTER_API_KEY: key }).ended;
  expect(await muster("knowledge", "create", "--name", "Harbour")).toMatchObject({ code: 0 });
  expect(await muster("knowledge", "add", file)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/: 1 passage$/m),
  });
}

async function stop({ serving }: Served): Promise<void> {
  serving.process.kill("SIGTERM");
  // Its output ends with the service, not with npx.
  await serving.ended;
}

/** Node and npm of this test come first; npm finds its settings as on this machine. */
function environment() {
  const path = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
  const registry = Object.entries(process.env).filter(([name]) =>
    /^npm_config_|_proxy$|^(NODE_EXTRA_CA_CERTS|SSL_)/i.test(name),
  );
  return { ...Object.fromEntries(registry), PATH: path, HOME: homedir() };
}

function start(
  cwd: string,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): MusterProcess {
  const options = { cwd, env: { ...environment(), PORT: "0", ...env } };
  return watchProcess(spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] }));
}

async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { cwd, env: environment() });
  return stdout;
}
