#!/usr/bin/env node
// node scripts/with-node.mjs [--omit-dev] <file or command> [arguments]: installs what is missing, then runs it on Node 24.
import { runOnNode24 } from "./run-on-node24.mjs";

const given = process.argv.slice(2);
const omitDev = given[0] === "--omit-dev";
const [target, ...args] = omitDev ? given.slice(1) : given;
if (target) {
  await runOnNode24(target, args, { omitDev });
} else {
  console.error("Usage: node scripts/with-node.mjs [--omit-dev] <file or command in node_modules/.bin> [arguments]");
  process.exitCode = 2;
}
