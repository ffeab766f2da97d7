import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect } from "vitest";
import { useSharedService } from "../support/shared-service.ts";
import type { SharedService } from "../support/shared-service.ts";
import { verifies } from "../support/verifies.ts";

const MINUTE = 60_000;
const ROOT = join(import.meta.dirname, "../..");
const CLIENT = "clients/typescript";
const MAX_BYTES_OF_A_CALL = 6_000;
/** The work of a program, whose module `muster-client` is imported before. */
const WORK = `async function work() {
  const muster = createClient({ url: process.env["MUSTER_URL"] ?? "", key: process.env["MUSTER_API_KEY"] ?? "" });
  const agent: Schemas["Agent"] = await muster.createAgent({ name: "Packed", model: "demo" });
  const task = await muster.createTask({ title: "Say hello", assigned_agent_id: agent.id });
  for await (const { event } of muster.streamTask({ agentId: agent.id, taskId: task.id })) {
    if (event.type === "RUN_FINISHED") console.log(event.type);
  }
  // @ts-expect-error a field that does not exist
  const rejected = await muster.createAgent({ nam: "x" }).catch((error: unknown) => error);
  console.log(rejected instanceof MusterError && rejected.code);
}
void work();
`;
const DONE = "RUN_FINISHED\nbad_request\n";
const IMPORT = 'import { createClient, MusterError, type Schemas } from "muster-client";\n';
const ONE_CALL = `import { createClientOf } from "muster-client";
import { getIdentity } from "muster-client/operations";
void createClientOf({ url: "", key: "" }, { getIdentity }).getIdentity();
`;

let service: SharedService;
let folder: string;
let project: string;

beforeAll(async () => {
  service = await useSharedService();
  folder = await mkdtemp(join(tmpdir(), "muster-package-"));
  const checkout = join(folder, "muster");
  await mkdir(join(checkout, "clients"), { recursive: true });
  await cp(join(ROOT, "LICENSE"), join(checkout, "LICENSE"));
  await cp(join(ROOT, CLIENT), join(checkout, CLIENT), { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(checkout, "node_modules"));
  await run("npm", ["pack", "--silent"], join(checkout, CLIENT));
  const packed = (await readdir(join(checkout, CLIENT))).find((name) => name.endsWith(".tgz")) ?? "";
  project = join(folder, "project");
  await mkdir(project);
  await writeFile(join(project, "package.json"), "{}");
  await run("npm", ["install", "--no-audit", "--no-fund", join(checkout, CLIENT, packed)], project);
}, 3 * MINUTE);
afterAll(() => rm(folder, { recursive: true }));

verifies(
  "client.package",
  "an ES module imports the package, with types",
  async () => {
    await writeFile(join(project, "module.mts"), IMPORT + WORK);
    await compile("module.mts", "nodenext");
    expect(await run(process.execPath, ["module.mjs"], project)).toBe(DONE);
  },
  MINUTE,
);

verifies(
  "client.package",
  "a CommonJS module requires the package, with types of CommonJS",
  async () => {
    await writeFile(join(project, "common.cts"), IMPORT + WORK);
    // Unlike nodenext, node16 knows no CommonJS module that requires an ES module.
    await compile("common.cts", "node16");
    expect(await readFile(join(project, "common.cjs"), "utf8")).toContain('require("muster-client")');
    expect(await run(process.execPath, ["common.cjs"], project)).toBe(DONE);
  },
  MINUTE,
);

verifies("client.package", "the package has its licence, keywords and no link into the checkout", async () => {
  const installed = join(project, "node_modules/muster-client");
  const read = (path: string) => readFile(path, "utf8");
  expect(await read(join(installed, "LICENSE"))).toBe(await read(join(ROOT, "LICENSE")));
  expect(JSON.parse(await read(join(installed, "package.json")))).toMatchObject({
    license: "Apache-2.0",
    keywords: expect.arrayContaining(["muster", "agents"]),
  });
  const links = [...(await read(join(installed, "README.md"))).matchAll(/\]\(([^)]*)\)/g)].map(([, link]) => link);
  expect(links.filter((link) => !/^(?:https:|#)/.test(link ?? ""))).toEqual([]);
});

verifies("client.release", "a release is rejected until its package names the repository", async () => {
  const release = () => run("npm", ["run", "--silent", "prepublishOnly"], join(folder, "muster", CLIENT));
  await expect(release()).rejects.toThrow("npm pkg set repository=<URL of the source>");
  await run("npm", ["pkg", "set", "repository=https://git.example/acme/muster"], join(folder, "muster", CLIENT));
  await release();
});

verifies(
  "client.size",
  "one call costs 6 kB of a bundle at most",
  async () => {
    await writeFile(join(project, "one-call.js"), ONE_CALL);
    const config = `export default { build: { minify: true, rollupOptions: {
      input: "one-call.js", output: { dir: "bundle", entryFileNames: "[name].js" } } } };`;
    await writeFile(join(project, "vite.config.mjs"), config);
    await run("vite", ["build"], project);
    expect((await stat(join(project, "bundle/one-call.js"))).size).toBeLessThan(MAX_BYTES_OF_A_CALL);
  },
  MINUTE,
);

async function compile(file: string, module: "nodenext" | "node16"): Promise<void> {
  const types = ["--types", "node", "--typeRoots", join(ROOT, "node_modules/@types")];
  await run(
    "tsc",
    ["--strict", "--module", module, "--target", "es2022", "--lib", "es2022,dom", ...types, file],
    project,
  );
}

async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const env = {
    ...process.env,
    PATH: [join(ROOT, "node_modules/.bin"), process.env["PATH"]].join(delimiter),
    MUSTER_URL: service.url,
    MUSTER_API_KEY: service.keys.api,
  };
  return (await promisify(execFile)(command, [...args], { cwd, env })).stdout;
}
