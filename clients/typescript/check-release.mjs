/** Rejects a release that does not say where its source is: only the one who publishes it knows that address. */
import { readFileSync } from "node:fs";

const { repository } = JSON.parse(readFileSync("package.json", "utf8"));
if (repository === undefined) {
  process.stderr.write("package.json has no repository. Set it first: npm pkg set repository=<URL of the source>\n");
  process.exitCode = 1;
}
