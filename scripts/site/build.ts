// `npm run site`: builds the documentation as a site in `.runtime/site/dist`, for any server of files. SITE_BASE=/0.1.0/
// builds it for that path.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join, relative } from "node:path";
import packageFile from "../../package.json" with { type: "json" };
import { writePages } from "./pages.ts";

const ROOT = join(import.meta.dirname, "../..");
const OUT = join(ROOT, ".runtime/site");
const CONFIG = join(OUT, ".vitepress");
const PACKAGES = join(import.meta.dirname, "node_modules");

if (!existsSync(PACKAGES)) npm("ci", "--ignore-scripts", "--no-audit", "--no-fund");
rmSync(OUT, { recursive: true, force: true });
mkdirSync(CONFIG, { recursive: true });
writePages(OUT, { config: CONFIG, version: packageFile.version });
for (const file of ["config.mjs", "slug.ts"]) cpSync(join(import.meta.dirname, file), join(CONFIG, file));
symlinkSync(PACKAGES, join(OUT, "node_modules"));
npm("exec", "--", "vitepress", "build", OUT, "--outDir", join(OUT, "dist"));
console.log(relative(process.cwd(), join(OUT, "dist")));

function npm(...args: readonly string[]): void {
  execFileSync("npm", args, { cwd: import.meta.dirname, stdio: "inherit" });
}
