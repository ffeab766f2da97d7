import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { verifies } from "../support/verifies.ts";

const ROOT = join(import.meta.dirname, "../..");

const IMPORT = 'import { z } from "zod";\n';
/** What a new file of a registry exports by default, in the simplest form that the generator accepts. */
const ADDITIONS = [
  { folder: "tools", file: "brand-new.ts", exported: "{}" },
  { folder: "providers", file: "brand-new.ts", exported: "{}" },
  {
    folder: "destinations",
    file: "brand-new.ts",
    // Its form goes into the page of destinations.
    exported: `{ type: "new", title: "New", description: "New.", account: null, config: z.strictObject({}) }`,
  },
  { folder: "engine/teams", file: "brand-new.ts", exported: "{}" },
  { folder: "http/api", file: "tasks/brand-new.ts", exported: "() => undefined" },
] as const;

let checkout: string;

beforeAll(() => {
  checkout = mkdtempSync(join(tmpdir(), "muster-checkout-"));
  for (const part of [
    "src",
    "scripts",
    "test",
    "docs",
    "clients",
    "deploy",
    "ARCHITECTURE.md",
    "openapi.json",
    "package.json",
    ".env.example",
  ]) {
    const filter = (path: string) => !path.endsWith("node_modules");
    cpSync(join(ROOT, part), join(checkout, part), { recursive: true, filter });
  }
  symlinkSync(join(ROOT, "node_modules"), join(checkout, "node_modules"));
}, 180_000);
afterAll(() => rmSync(checkout, { recursive: true, force: true }));

verifies(
  "workshop.registries",
  "a new tool, provider, destination, team mode or endpoint fails the check until the registry has it",
  () => {
    for (const { folder, file, exported } of ADDITIONS) {
      writeFileSync(join(checkout, "src", folder, file), `${IMPORT}export default ${exported};\n`);
    }
    const { status, says } = gen("--check");
    expect(status).toBe(1);
    for (const { folder } of ADDITIONS) expect(says).toContain(`src/${folder}/gen/registry.ts`);
    expect(gen().status).toBe(0);
    for (const { folder, file } of ADDITIONS) {
      const registry = readFileSync(join(checkout, "src", folder, "gen/registry.ts"), "utf8");
      expect(registry).toContain(`from "../${file}";`);
    }
    expect(gen("--check")).toEqual({ status: 0, says: "" });
  },
  { tags: "slow" },
);

function gen(...options: readonly string[]): { readonly status: number | null; readonly says: string } {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/gen.ts", "--no-types", ...options], {
    cwd: checkout,
    encoding: "utf8",
  });
  return { status, says: stderr };
}
