import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect } from "vitest";
import { CALLS, GENERATORS } from "../support/clients/generators.ts";
import { installPackages } from "../support/clients/install-packages.ts";
import { useSharedService } from "../support/shared-service.ts";
import type { SharedService } from "../support/shared-service.ts";
import { verifies } from "../support/verifies.ts";

const MINUTE = 60_000;
const ROOT = join(import.meta.dirname, "../..");
const PACKAGES = join(ROOT, "scripts/openapi-generators");
/** The options of a new project of Vite, which compiles all generated files. */
const COMPILER = {
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  module: "esnext",
  moduleResolution: "bundler",
  types: ["node"],
  strict: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  noEmit: true,
};

let service: SharedService;
let folder: string;

beforeAll(async () => {
  service = await useSharedService();
  await installPackages(PACKAGES, "orval");
  await mkdir(join(ROOT, ".runtime"), { recursive: true });
  folder = await mkdtemp(join(ROOT, ".runtime/generators-"));
  await symlink(join(PACKAGES, "node_modules"), join(folder, "node_modules"));
  await copyFile(join(ROOT, "openapi.json"), join(folder, "openapi.json"));
  await copyFile(join(PACKAGES, "kubb.config.mjs"), join(folder, "kubb.config.mjs"));
}, 10 * MINUTE);
afterAll(() => rm(folder, { recursive: true }));

for (const { name, command, program } of GENERATORS) {
  verifies(
    "openapi.generators",
    `a client by ${name} compiles and works`,
    async () => {
      await mkdir(join(folder, name));
      await run(...command);
      await writeFile(join(folder, `${name}.ts`), program + CALLS);
      const config = { compilerOptions: COMPILER, include: [`${name}.ts`, `${name}/**/*.ts`] };
      await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
      await run(join(ROOT, "node_modules/.bin/tsc"), "-p", ".");
      await run(join(ROOT, "node_modules/.bin/vite"), "build", "--ssr", `${name}.ts`, "--outDir", `built-${name}`);
      const agent = expect.objectContaining({ name: "Generated", model: "demo" });
      expect(JSON.parse(await run(process.execPath, `built-${name}/${name}.js`))).toEqual([
        agent,
        expect.arrayContaining([agent]),
      ]);
    },
    3 * MINUTE,
  );
}

async function run(command: string, ...args: readonly string[]): Promise<string> {
  const env = {
    ...process.env,
    PATH: [join(folder, "node_modules/.bin"), process.env["PATH"]].join(delimiter),
    MUSTER_URL: service.url,
    MUSTER_API_KEY: service.keys.api,
  };
  const options = { cwd: folder, env, maxBuffer: 100_000_000, timeout: 2 * MINUTE };
  return promisify(execFile)(command, [...args], options).then(
    ({ stdout }) => stdout,
    (error: unknown) => {
      const said = error instanceof Error && "stdout" in error ? `${error.message}\n${String(error.stdout)}` : "";
      throw new Error(said.slice(0, 4_000), { cause: error });
    },
  );
}
