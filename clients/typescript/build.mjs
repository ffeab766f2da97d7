/** Compiles the package, as ES modules and for CommonJS, and adds its licence. */
import { execFileSync } from "node:child_process";
import { copyFileSync, rmSync, writeFileSync } from "node:fs";

rmSync("dist", { recursive: true, force: true });
for (const project of ["tsconfig.json", "tsconfig.cjs.json"]) {
  execFileSync("tsc", ["-p", project], { stdio: "inherit", shell: process.platform === "win32" });
}
// Node decides by the nearest package.json what a .js file is.
writeFileSync("dist/cjs/package.json", '{ "type": "commonjs" }\n');
copyFileSync("../../LICENSE", "LICENSE");
