/** Rejects a release that does not say where its source is: only the one who publishes it knows that address. */
import { readFileSync } from "node:fs";

const { repository } = JSON.parse(readFileSync("package.json", "utf8"));
if (repository === undefined) {
  console.error("package.json has no repository. Before you publish, run: npm pkg set repository=<URL of the source>");
  process.exitCode = 1;
}
