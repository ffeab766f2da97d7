#!/usr/bin/env node
// `npm start`: installs what is missing, then runs the service and, in parallel, the build of the console if it is needed.
import { join } from "node:path";
import { repositoryRoot } from "./ensure-node.mjs";
import { runOnNode24 } from "./run-on-node24.mjs";
import { startConsoleBuild } from "./start-console-build.mjs";

await startConsoleBuild();
await runOnNode24(join(repositoryRoot, "src/main.ts"), process.argv.slice(2), { omitDev: true });
