// Installs the packages when, and only when, they are not the ones of package-lock.json.
// `npm start`, `npm test` and the `muster` command go through it, so a fresh clone and a `git pull` both just work.
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ensureNode24, repositoryRoot, runtimeFolder } from "./ensure-node.mjs";
import { withInstallLock } from "./install-lock.mjs";

const STAMP = join(repositoryRoot, "node_modules", ".muster-installed");
const LOCK = join(runtimeFolder, "installing");

/**
 * Makes sure that Node 24 and exactly the locked packages are there. Takes a few milliseconds when they are.
 * @returns {Promise<string>} the path of the Node binary to run Muster with
 * @throws {Error} with a message for a person: no Node 24 to be had, or `npm ci` failed (its output is included).
 */
export async function ensureInstalled() {
  const node = await ensureNode24();
  if (!isInstalled()) await withInstallLock(LOCK, () => (isInstalled() ? undefined : install(node))).catch(explain);
  return node;
}

/**
 * The environment for a child that runs on Node 24: that Node and the installed commands come first in PATH.
 * @param {string} node path of the Node binary
 */
export function environmentFor(node) {
  const path = [dirname(node), join(repositoryRoot, "node_modules", ".bin"), process.env.PATH];
  return { ...process.env, PATH: path.filter(Boolean).join(delimiter) };
}

function explain(error) {
  if (error.code !== "EACCES" && error.code !== "EROFS") throw error;
  throw new Error(
    `The packages are not installed, and this user may not write to ${repositoryRoot} (${error.message}).`,
  );
}

function isInstalled() {
  try {
    return readFileSync(STAMP, "utf8") === wantedStamp();
  } catch (error) {
    if (error.code === "ENOENT") return false;
    throw error;
  }
}

/** The platform is part of it: a node_modules copied from another machine has the wrong binaries. */
function wantedStamp() {
  const lock = readFileSync(join(repositoryRoot, "package-lock.json"));
  return `${createHash("sha256").update(lock).digest("hex")} ${process.platform}-${process.arch}\n`;
}

async function install(node) {
  const stamp = wantedStamp();
  // Removed first and written last: an interrupted install never counts as done.
  rmSync(STAMP, { force: true });
  console.error("Installing packages (npm ci) …");
  await npmCi({ ...environmentFor(node), npm_config_globalconfig: await globalConfig() });
  writeFileSync(STAMP, stamp);
}

/** The machine's npm settings (a mirror, a CA): npm looks for them beside its Node, and would miss them on the fetched one. */
async function globalConfig() {
  if (process.env.npm_config_globalconfig) return process.env.npm_config_globalconfig;
  const options = { cwd: repositoryRoot, shell: process.platform === "win32" };
  const { stdout } = await promisify(execFile)(
    "npm",
    ["config", "get", "globalconfig", "--loglevel=error"],
    options,
  ).catch((error) => {
    throw new Error(`npm could not be started (${error.message.trim()}). Is npm installed?`);
  });
  return stdout.trim();
}

function npmCi(env) {
  // All kinds of dependencies, whatever NODE_ENV or the user's npm settings leave out: the stamp stands for all of them.
  const flags = [
    "--ignore-scripts",
    "--include=dev",
    "--include=optional",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
  ];
  return new Promise((resolve, reject) => {
    const output = [];
    const npm = spawn("npm", ["ci", ...flags], {
      cwd: repositoryRoot,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      shell: process.platform === "win32",
    });
    npm.stdout.on("data", (chunk) => output.push(chunk));
    npm.stderr.on("data", (chunk) => output.push(chunk));
    npm.on("error", reject);
    npm.on("close", (code, signal) => {
      if (code === 0) resolve();
      else
        reject(
          new Error(`npm ci failed (${signal ?? `exit code ${code}`}):\n${Buffer.concat(output).toString()}`.trimEnd()),
        );
    });
  });
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await ensureInstalled().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
