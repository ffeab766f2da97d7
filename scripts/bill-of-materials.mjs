// Prints a software bill of materials of the service and the console, as CycloneDX: `npm run sbom`.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "./ensure-node.mjs";

const read = (name) => JSON.parse(readFileSync(join(repositoryRoot, name), "utf8"));
// npm sbom --omit=dev also leaves out packages of the service that a package for development needs, too.
const { devDependencies: _, ...packageFile } = read("package.json");
const lock = read("package-lock.json");
delete lock.packages[""].devDependencies;
lock.packages = Object.fromEntries(Object.entries(lock.packages).filter(([, { dev }]) => dev !== true));

const folder = mkdtempSync(join(tmpdir(), "muster-sbom-"));
try {
  writeFileSync(join(folder, "package.json"), JSON.stringify(packageFile));
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify(lock));
  const args = ["sbom", "--package-lock-only", "--sbom-format=cyclonedx"];
  execFileSync("npm", args, {
    cwd: folder,
    stdio: ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32",
  });
} finally {
  rmSync(folder, { recursive: true });
}
