// Runs a file or an installed command of this checkout on Node 24, whatever Node started this process.
import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import module from "node:module";
import { constants } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureInstalled, environmentFor } from "./ensure-installed.mjs";
import { repositoryRoot, runsOnRequiredNode, runtimeFolder } from "./ensure-node.mjs";

const SCRIPT = /\.(ts|mjs|js)$/;
const FORWARDED_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
/** Compiled code, which halves a start. Not the default folder below the shared temporary one, where others could place files for us to execute. */
const COMPILE_CACHE = join(runtimeFolder, "compile-cache");

/**
 * Installs what is missing, then runs `target`. A script file runs inside this process when its Node is new enough;
 * anything else becomes a child with the same terminal, whose exit code (128 + n for signal n) becomes ours.
 * A child on Node has an IPC channel: its `disconnect` event means that this process died.
 * Ends the process with a message and code 1 when the installation or the start of the child fails.
 * @param {string} target a file, absolute or relative to the current folder, the name of a command in
 * node_modules/.bin, or `node` for that Node itself
 * @param {readonly string[]} args
 * @param {{ omitDev?: boolean }} [options] omitDev: the target needs no packages for development
 */
export async function runOnNode24(target, args, options) {
  const node = await ensureInstalled(options).catch(fail);
  if (target === "node") return runChild(node, node, args);
  const file = resolve(target);
  if (!isFile(file)) return runChild(node, join(repositoryRoot, "node_modules", ".bin", target), args);
  if (runsOnRequiredNode && SCRIPT.test(file)) return runHere(file, args);
  return runChild(node, node, [file, ...args]);
}

function isFile(path) {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** In this process: no second Node to start (~40 ms) and no one to forward signals to. */
async function runHere(file, args) {
  module.enableCompileCache(COMPILE_CACHE);
  process.argv = [process.execPath, file, ...args];
  await import(pathToFileURL(file).href);
}

function runChild(node, command, args) {
  const env = { NODE_COMPILE_CACHE: COMPILE_CACHE, ...environmentFor(node) };
  const child = spawn(command, args, { env, stdio: ["inherit", "inherit", "inherit", "ipc"] });
  for (const signal of FORWARDED_SIGNALS) process.on(signal, () => forward(child, signal));
  child.on("error", (error) => fail(new Error(`${command} could not be started: ${error.message}`)));
  child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
}

/** A terminal sends Ctrl-C to the child as well (same process group); a second SIGINT could mean "at once" to it. */
function forward(child, signal) {
  if (signal === "SIGINT" && process.stdin.isTTY) return;
  child.kill(signal);
}

function fail(error) {
  console.error(error.message);
  process.exit(1);
}
