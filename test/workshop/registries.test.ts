import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { verifies } from "../support/verifies.ts";

const ROOT = join(import.meta.dirname, "../..");

const FOLDERS = ["tools", "providers", "destinations", "engine/teams"];
const IMPORT = 'import { z } from "zod";\n';
/** Its form goes into the page of destinations. */
const DESTINATION = `{ type: "new", title: "New", description: "New.", account: null, config: z.strictObject({}) }`;

let checkout: string;

beforeAll(() => {
  checkout = mkdtempSync(join(tmpdir(), "muster-checkout-"));
  for (const part of ["src", "scripts", "test", "docs", "clients", "openapi.json", "package.json", ".env.example"]) {
    const filter = (path: string) => !path.endsWith("node_modules");
    cpSync(join(ROOT, part), join(checkout, part), { recursive: true, filter });
  }
  symlinkSync(join(ROOT, "node_modules"), join(checkout, "node_modules"));
});
afterAll(() => rmSync(checkout, { recursive: true, force: true }));

verifies(
  "workshop.registries",
  "a new tool, provider, destination or team mode fails the check until the registry has it",
  () => {
    expect(gen("--check")).toEqual({ status: 0, says: "" });
    for (const folder of FOLDERS) {
      const shape = folder === "destinations" ? DESTINATION : "{}";
      writeFileSync(join(checkout, "src", folder, "brand-new.ts"), `${IMPORT}export default ${shape};\n`);
    }
    const { status, says } = gen("--check");
    expect(status).toBe(1);
    for (const folder of FOLDERS) expect(says).toContain(`src/${folder}/registry.ts`);
    expect(gen().status).toBe(0);
    for (const folder of FOLDERS) {
      const registry = readFileSync(join(checkout, "src", folder, "registry.ts"), "utf8");
      expect(registry).toContain('import brandNew from "./brand-new.ts";');
    }
    expect(gen("--check")).toEqual({ status: 0, says: "" });
  },
  180_000,
);

function gen(...options: readonly string[]): { readonly status: number | null; readonly says: string } {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/gen.ts", "--no-types", ...options], {
    cwd: checkout,
    encoding: "utf8",
  });
  return { status, says: stderr };
}
