#!/usr/bin/env node
// The `muster` command. Works from any folder, through a symbolic link too, and on any Node >= 20.
import { fileURLToPath } from "node:url";
import { runOnNode24 } from "../scripts/run-on-node24.mjs";
import { startConsoleBuild } from "../scripts/start-console-build.mjs";

if (process.argv[2] === "serve") await startConsoleBuild();
await runOnNode24(fileURLToPath(new URL("../src/cli/main.ts", import.meta.url)), process.argv.slice(2));
