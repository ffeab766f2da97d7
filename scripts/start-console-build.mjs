// Starts `ensure-console.mjs` in its own process, for commands that start the service.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled, environmentFor } from "./ensure-installed.mjs";
import { repositoryRoot } from "./ensure-node.mjs";

/**
 * Installs what is missing, then starts the build of the console without waiting for it. The service does not depend
 * on it: a build that fails is shown on the page, and the API works.
 */
export async function startConsoleBuild() {
  const node = await ensureInstalled({ omitDev: true }).catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
  const script = join(repositoryRoot, "scripts", "ensure-console.mjs");
  const child = spawn(node, [script], { env: environmentFor(node), stdio: ["ignore", "ignore", "inherit"] });
  child.on("error", (error) => console.error(`The console could not be built: ${error.message}`));
  child.unref();
}
