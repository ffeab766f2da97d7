import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect } from "vitest";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";

const ROOT = join(import.meta.dirname, "../../..");
const CLIENT = "clients/typescript";
const PROGRAM = `import { createClient, MusterError, type Schemas } from "muster-client";

const muster = createClient({ url: process.env["MUSTER_URL"] ?? "", key: process.env["MUSTER_API_KEY"] ?? "" });
const agent: Schemas["Agent"] = await muster.createAgent({ name: "Packed", model: "demo" });
const task = await muster.createTask({ title: "Say hello", assigned_agent_id: agent.id });
for await (const { event } of muster.streamTask({ agentId: agent.id, taskId: task.id })) {
  if (event.type === "RUN_FINISHED") console.log(event.type);
}
// @ts-expect-error a field that does not exist
const rejected = await muster.createAgent({ nam: "x" }).catch((error: unknown) => error);
console.log(rejected instanceof MusterError && rejected.code);
`;

let service: SharedService;
let folder: string;

beforeAll(async () => {
  service = await useSharedService();
  folder = await mkdtemp(join(tmpdir(), "muster-package-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

verifies(
  "client.package",
  "the packed client works in a project of its own, with types",
  async () => {
    const checkout = join(folder, "muster");
    await mkdir(join(checkout, "clients"), { recursive: true });
    await cp(join(ROOT, "tsconfig.json"), join(checkout, "tsconfig.json"));
    await cp(join(ROOT, CLIENT), join(checkout, CLIENT), { recursive: true });
    await symlink(join(ROOT, "node_modules"), join(checkout, "node_modules"));
    await run("npm", ["pack", "--silent"], join(checkout, CLIENT));
    const packed = (await readdir(join(checkout, CLIENT))).find((name) => name.endsWith(".tgz")) ?? "";

    const project = join(folder, "project");
    await mkdir(join(project, "node_modules"), { recursive: true });
    await run("tar", ["-xzf", join(checkout, CLIENT, packed)], project);
    await rename(join(project, "package"), join(project, "node_modules/muster-client"));
    for (const name of ["eventsource-parser", "@types"]) {
      await symlink(join(ROOT, "node_modules", name), join(project, "node_modules", name));
    }
    await writeFile(join(project, "package.json"), '{"type":"module"}');
    await writeFile(join(project, "program.ts"), PROGRAM);
    await run(
      "tsc",
      ["--strict", "--module", "nodenext", "--target", "es2024", "--types", "node", "program.ts"],
      project,
    );
    expect(await run(process.execPath, ["program.js"], project)).toBe("RUN_FINISHED\nbad_request\n");
  },
  120_000,
);

async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const env = {
    ...process.env,
    PATH: [join(ROOT, "node_modules/.bin"), process.env["PATH"]].join(delimiter),
    MUSTER_URL: service.url,
    MUSTER_API_KEY: service.keys.api,
  };
  return (await promisify(execFile)(command, [...args], { cwd, env })).stdout;
}
