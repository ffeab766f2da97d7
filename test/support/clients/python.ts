import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const ROOT = join(import.meta.dirname, "../../..");
/** Packages for any Python, installed once. */
const PACKAGES = join(ROOT, ".runtime/python-packages");
/** What they compile, which the checkout should not have. */
const BYTECODE = join(ROOT, ".runtime/python-bytecode");
/** The newest first. */
const NAMES = ["python3.13", "python3.12", "python3.11", "python3.10", "python3"] as const;
const CHECK = `import sys, httpx
from importlib.util import find_spec
if sys.version_info < (3, 10): sys.exit(1)
print("%d.%d" % sys.version_info[:2], "mypy" if find_spec("mypy") else "")`;
const PIP = [
  "-m",
  "pip",
  "install",
  "--quiet",
  "--disable-pip-version-check",
  "--retries",
  "0",
  "--timeout",
  "5",
] as const;
const REQUIREMENTS = join(ROOT, "clients/python/requirements-test.txt");

/** Why a test of the client is skipped. */
export const NO_PYTHON = "no Python from 3.10 on has httpx, and pip cannot install it";

/** A Python that can run the Python client. */
export interface Python {
  readonly program: string;
  /** Such as `3.13`. */
  readonly version: string;
  readonly hasMypy: boolean;
  /** Its environment, in which it finds the client and its packages. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The Pythons of this machine that can run the client, one of each version: with the packages that they have, or with
 * those that pip installs, where PyPI can be reached. Empty where neither is the case.
 */
export async function findPythons(): Promise<readonly Python[]> {
  const found = await pythonsWith([]);
  if (found.length > 0) return found;
  const installed = await run("python3", [...PIP, "--target", PACKAGES, "--upgrade", "-r", REQUIREMENTS], process.env);
  return installed === undefined ? [] : pythonsWith([PACKAGES]);
}

async function pythonsWith(packages: readonly string[]): Promise<readonly Python[]> {
  const paths = [join(ROOT, "clients/python/src"), ...packages, process.env["PYTHONPATH"] ?? []].flat();
  const env = { ...process.env, PYTHONPATH: paths.join(":"), PYTHONPYCACHEPREFIX: BYTECODE };
  const pythons = await Promise.all(
    [process.env["TEST_PYTHON"] ?? [], ...NAMES].flat().map(async (program) => {
      const [version, mypy] = (await run(program, ["-c", CHECK], env))?.split(" ") ?? [];
      return version === undefined
        ? []
        : [[version, { program, version, hasMypy: mypy?.trim() === "mypy", env }] as const];
    }),
  );
  return [...new Map(pythons.flat()).values()];
}

/** What a program prints; undefined when it is missing or fails. */
async function run(program: string, args: readonly string[], env: Python["env"]): Promise<string | undefined> {
  return promisify(execFile)(program, [...args], { env, timeout: 120_000 }).then(
    ({ stdout }) => stdout,
    () => undefined,
  );
}
