// Installs the packages when, and only when, they are not the ones of package-lock.json.
// `npm start`, `npm test` and the `muster` command go through it, so a fresh clone and a `git pull` both just work.
import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ensureNode24, repositoryRoot, runtimeFolder } from "./ensure-node.mjs";
import { withInstallLock } from "./install-lock.mjs";

const STAMP = join(repositoryRoot, "node_modules", ".muster-installed");
const LOCK = join(runtimeFolder, "installing");
/** What a stamp says of the packages for development. */
const EVERYTHING = "with-dev";
const PRODUCTION = "without-dev";

/**
 * Makes sure that Node 24 and exactly the locked packages are there. Takes a few milliseconds when they are.
 * @param {{ omitDev?: boolean }} [options] omitDev: the packages for development are not needed; those that a checkout
 * has are kept
 * @returns {Promise<string>} the path of the Node binary to run Muster with
 * @throws {Error} with a message for a person: no Node 24 to be had, or `npm ci` failed (its output is included).
 */
export async function ensureInstalled({ omitDev = false } = {}) {
  const node = await ensureNode24();
  const missing = () => !isInstalled(omitDev);
  if (missing()) await withInstallLock(LOCK, () => (missing() ? install(node, omitDev) : undefined)).catch(explain);
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

function isInstalled(omitDev) {
  const stamp = readStamp();
  return stamp === wantedStamp(false) || (omitDev && stamp === wantedStamp(true));
}

function readStamp() {
  try {
    return readFileSync(STAMP, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return "";
    throw error;
  }
}

/** The platform is part of it: a node_modules copied from another machine has the wrong binaries. */
function wantedStamp(omitDev) {
  const lock = readFileSync(join(repositoryRoot, "package-lock.json"));
  const digest = createHash("sha256").update(lock).digest("hex");
  return `${digest} ${process.platform}-${process.arch} ${omitDev ? PRODUCTION : EVERYTHING}\n`;
}

async function install(node, omitDev) {
  // A checkout that has the packages for development keeps them when the lock file changes.
  const omitted = omitDev && !readStamp().includes(EVERYTHING);
  const stamp = wantedStamp(omitted);
  // Removed first and written last: an interrupted install never counts as done.
  rmSync(STAMP, { force: true });
  const progress = showProgress("Installing packages (npm ci) …", () => packageCount(omitted));
  try {
    await npmCi({ ...environmentFor(node), npm_config_globalconfig: await globalConfig() }, omitted);
  } finally {
    progress.end();
  }
  writeFileSync(STAMP, stamp);
}

/**
 * Counts the packages that every machine needs and that are there: `110 of 287 packages`. Optional ones are left out,
 * since most of them are for other machines. npm creates all folders first, so a package counts once it has its file.
 */
function packageCount(omitDev) {
  const { packages } = JSON.parse(readFileSync(join(repositoryRoot, "package-lock.json"), "utf8"));
  const wanted = Object.entries(packages).filter(
    ([path, { dev, optional, devOptional }]) => path !== "" && !optional && !devOptional && !(omitDev && dev),
  );
  const present = wanted.filter(([path]) => existsSync(join(repositoryRoot, path, "package.json")));
  return `${present.length} of ${wanted.length} packages`;
}

/**
 * Says on standard error what takes a while, on a terminal with what is done and the seconds that have passed; at the
 * end, how long it took.
 */
function showProgress(what, done) {
  const begun = performance.now();
  const seconds = () => `${Math.round((performance.now() - begun) / 1_000)} s`;
  const isTerminal = process.stderr.isTTY;
  process.stderr.write(isTerminal ? what : `${what}\n`);
  const ticks = isTerminal
    ? setInterval(() => process.stderr.write(`\r\u001B[K${what} ${done()}, ${seconds()}`), 1_000)
    : undefined;
  return {
    end() {
      clearInterval(ticks);
      process.stderr.write(isTerminal ? `\r\u001B[K${what} ${seconds()}\n` : `npm ci took ${seconds()}.\n`);
    },
  };
}

/** The machine's npm settings (a mirror, a CA): npm looks for them next to its Node, and would not find them next to the downloaded one. */
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

function npmCi(env, omitDev) {
  // The same kinds of dependencies whatever NODE_ENV or the user's npm settings say: the stamp names them.
  const flags = [
    "--ignore-scripts",
    omitDev ? "--omit=dev" : "--include=dev",
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
  await ensureInstalled({ omitDev: process.argv.includes("--omit-dev") }).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
