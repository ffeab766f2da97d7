// Builds the console when, and only when, its files have changed since. `npm start` runs it in parallel with the service, which
// answers from the first moment; the pages follow a few seconds later. `npm run build` is the same in the foreground.
import { createHash } from "node:crypto";
import {
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { setPriority } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompress, constants, gzip } from "node:zlib";
import { promisify, stripVTControlCharacters } from "node:util";
import { repositoryRoot, runtimeFolder } from "./ensure-node.mjs";
import { withInstallLock } from "./install-lock.mjs";

const SOURCE = join(repositoryRoot, "console");
const FOLDER = join(runtimeFolder, "console");
const STATUS = join(FOLDER, "status.json");
const LOCK = join(runtimeFolder, "building-console");
/** Tabs that are open keep asking for the files of the build they came from. */
const KEPT_MS = 86_400_000;
const COMPRESSED = /\.(js|css|svg|html)$/;
const LOW_PRIORITY = 5;

/**
 * Makes sure that the console is built from the files as they are. Takes a few milliseconds when it is. Writes to
 * `.runtime/console/status.json` its state, for the service.
 * @returns {Promise<string>} the name of the build, which is the name of its folder below `.runtime/console`
 * @throws {Error} when the build fails; the service shows the message
 */
export async function ensureConsole() {
  const build = hashOfSources();
  if (isReady(build)) return build;
  mkdirSync(FOLDER, { recursive: true });
  const previous = previousBuild();
  writeStatus({ state: "building", previous });
  return withInstallLock(LOCK, async () => {
    if (!isReady(build)) await buildInto(build, previous);
    return build;
  });
}

async function buildInto(build, previous) {
  const temporary = join(FOLDER, `.building-${process.pid}`);
  try {
    // React takes anything else for development and builds its slow half.
    process.env.NODE_ENV = "production";
    const vite = await import("vite");
    // The console, then the document of agents' pages, which shares no file with it.
    for (const mode of ["production", "page"]) {
      await vite.build({
        root: SOURCE,
        mode,
        logLevel: "error",
        // A bundled configuration would warn of the plug-in for development, which is not installed here.
        configLoader: "native",
        build: { outDir: temporary, emptyOutDir: mode === "production" },
      });
    }
    await compressFiles(join(temporary, "assets"));
    rmSync(join(FOLDER, build), { recursive: true, force: true });
    renameSync(temporary, join(FOLDER, build));
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    // Without the colours that it has for a terminal.
    const message = stripVTControlCharacters(error instanceof Error ? error.message : String(error));
    writeStatus({ state: "failed", message, previous });
    throw error;
  }
  writeStatus({ state: "ready", build });
  removeOldBuilds(build);
}

/** What the output depends on: the sources, the packages and the Node that runs the build. */
function hashOfSources() {
  const hash = createHash("sha256").update(process.version);
  const inputs = [join(repositoryRoot, "package-lock.json"), fileURLToPath(import.meta.url), ...filesIn(SOURCE)];
  for (const file of inputs) hash.update(relative(repositoryRoot, file)).update("\0").update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function isReady(build) {
  try {
    const status = JSON.parse(readFileSync(STATUS, "utf8"));
    return status.state === "ready" && status.build === build && statSync(join(FOLDER, build)).isDirectory();
  } catch {
    return false;
  }
}

/** The last finished build, which the service shows until this one is. */
function previousBuild() {
  try {
    const { build, previous = build } = JSON.parse(readFileSync(STATUS, "utf8"));
    return statSync(join(FOLDER, previous)).isDirectory() ? previous : undefined;
  } catch {
    return undefined;
  }
}

/** By renaming: the service never reads half of it. */
function writeStatus(status) {
  const temporary = `${STATUS}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(status)}\n`);
  renameSync(temporary, STATUS);
}

/** Writes a compressed copy of each file, once, so that the service never compresses while it answers. */
async function compressFiles(folder) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  const work = readdirSync(folder)
    .filter((name) => COMPRESSED.test(name))
    .map(async (name) => {
      const content = readFileSync(join(folder, name));
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(content, { params }),
        promisify(gzip)(content, { level: 9 }),
      ]);
      writeFileSync(join(folder, `${name}.br`), br);
      writeFileSync(join(folder, `${name}.gz`), gz);
    });
  await Promise.all(work);
}

function removeOldBuilds(current) {
  for (const entry of readdirSync(FOLDER, { withFileTypes: true })) {
    const path = join(FOLDER, entry.name);
    if (!entry.isDirectory() || entry.name === current || Date.now() - statSync(path).mtimeMs < KEPT_MS) continue;
    rmSync(path, { recursive: true, force: true });
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  // The service that starts at the same time goes first.
  setPriority(LOW_PRIORITY);
  await ensureConsole().catch((error) => {
    console.error(`The console could not be built: ${error.message}`);
    process.exitCode = 1;
  });
}
