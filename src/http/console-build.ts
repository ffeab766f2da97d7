import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { z } from "zod";
import { codeOf } from "#lib/error-code.ts";

const STATUS_FILE = "status.json";
/** How often the end of a build in progress is checked, in milliseconds. */
const CHECK_MS = 1_000;
/** Given explicitly, because the default reason is a new exception with a stack. */
const FINISHED = new Error("The console's build is finished.");
const ASSET_NAME = /^[\w-][\w.-]*$/;
/** Encodings of the compressed copies of each asset, best first. */
const ENCODINGS = [
  { name: "br", extension: ".br" },
  { name: "gzip", extension: ".gz" },
] as const;

const buildName = z.string().regex(/^[0-9a-f]+$/);
/** The last finished build, which is served until a newer one is finished. */
const previous = buildName.optional();
const status = z.discriminatedUnion("state", [
  z.object({ state: z.literal("building"), previous }),
  z.object({ state: z.literal("failed"), message: z.string(), previous }),
  z.object({ state: z.literal("ready"), build: buildName }),
]);

/** The state of the console's build, as `scripts/ensure-console.mjs` writes it; `missing` if it was never built. */
export type ConsoleStatus = z.output<typeof status> | { readonly state: "missing" };

/** The documents of a build. */
export type PageName = "index.html" | "page.html";

/** A file of the console, possibly compressed. */
export interface Asset {
  readonly content: Uint8Array<ArrayBuffer>;
  /** The content encoding; undefined for an uncompressed file. */
  readonly encoding: string | undefined;
}

/** The built console in a folder that another process writes. */
export interface ConsoleBuild {
  readStatus(): Promise<ConsoleStatus>;
  /** Returns the name of the build that is served: the newest finished one; null while there is none. */
  findBuild(): Promise<string | null>;
  /** Returns a signal that is aborted when the build in progress is finished; undefined without one in progress. */
  findFinish(): Promise<AbortSignal | undefined>;
  /** Returns a page of a finished build, with a placeholder for the nonce: the console's, or that of agents' pages. */
  readPage(build: string, name?: PageName): Promise<string>;
  /**
   * Returns a file with a hashed name, of this build or of an earlier one that an open tab still uses; undefined if
   * unknown.
   */
  readAsset(name: string, acceptedEncodings: string): Promise<Asset | undefined>;
}

/**
 * Reads the output of `scripts/ensure-console.mjs`: `status.json`, and a folder per build. Files are read on first use
 * and cached, since their names change with their content.
 * @param folder the folder of the builds; it need not exist
 */
export function openConsoleBuild(folder: string): ConsoleBuild {
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  let finish: AbortController | undefined;

  async function load(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const known = files.get(path);
    if (known !== undefined) return known;
    const content = await readFile(join(folder, path)).then((read) => new Uint8Array(read), ignoreMissing);
    if (content !== undefined) files.set(path, content);
    return content;
  }

  /** The npm package has the compressed copy only, which all browsers take. */
  async function unpack(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const packed = await load(`${path}.gz`);
    return packed && new Uint8Array(await promisify(gunzip)(packed));
  }

  async function readStatus(): Promise<ConsoleStatus> {
    const text = await readFile(join(folder, STATUS_FILE), "utf8").catch(ignoreMissing);
    return text === undefined ? { state: "missing" } : status.parse(JSON.parse(text));
  }

  async function isBuilding(): Promise<boolean> {
    return (await readStatus()).state === "building";
  }

  function watchBuild(): AbortController {
    const controller = new AbortController();
    const timer = setInterval(() => {
      // A file that is being written cannot be read: the next check can.
      isBuilding().then(
        (isInProgress) => isInProgress || end(),
        () => undefined,
      );
    }, CHECK_MS);
    timer.unref();
    const end = () => {
      clearInterval(timer);
      finish = undefined;
      controller.abort(FINISHED);
    };
    return controller;
  }

  return {
    readStatus,
    async findFinish() {
      return (await isBuilding()) ? (finish ??= watchBuild()).signal : undefined;
    },
    async findBuild() {
      const current = await readStatus();
      if (current.state === "ready") return current.build;
      return (current.state === "missing" ? undefined : current.previous) ?? null;
    },
    async readPage(build, name = "index.html") {
      const page = await load(join(build, name));
      if (page === undefined) throw new Error(`The console's build ${build} has no ${name}.`);
      return new TextDecoder().decode(page);
    },
    async readAsset(name, acceptedEncodings) {
      if (!ASSET_NAME.test(name)) return undefined;
      for (const build of await buildsIn(folder)) {
        const path = join(build, "assets", name);
        for (const { name: encoding, extension } of ENCODINGS) {
          if (!acceptedEncodings.includes(encoding)) continue;
          const content = await load(`${path}${extension}`);
          if (content !== undefined) return { content, encoding };
        }
        const content = (await load(path)) ?? (await unpack(path));
        if (content !== undefined) return { content, encoding: undefined };
      }
      return undefined;
    },
  };
}

async function buildsIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(ignoreMissing);
  return (entries ?? []).filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) === "ENOENT") return undefined;
  throw error;
}
