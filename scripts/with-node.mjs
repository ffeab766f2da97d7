#!/usr/bin/env node
// node scripts/with-node.mjs <file or command> [arguments]: installs what is missing, then runs it on Node 24.
import { runOnNode24 } from "./run-on-node24.mjs";

const [target, ...args] = process.argv.slice(2);
if (target) {
  await runOnNode24(target, args);
} else {
  console.error("Usage: node scripts/with-node.mjs <file or command in node_modules/.bin> [arguments]");
  process.exitCode = 2;
}
