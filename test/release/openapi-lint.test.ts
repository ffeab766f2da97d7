import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { installPackages } from "../support/clients/install-packages.ts";
import { verifies } from "../support/verifies.ts";

const MINUTE = 60_000;
const FOLDER = join(import.meta.dirname, "../../scripts/openapi-lint");
const DOCUMENT = join(import.meta.dirname, "../../openapi.json");
const redoclyReport = z.looseObject({ problems: z.array(z.looseObject({})) });

beforeAll(() => installPackages(FOLDER, "@redocly/cli"), 10 * MINUTE);

/** What a linter writes to standard output, whether it is content or not. */
async function lint(command: string, ...args: readonly string[]): Promise<string> {
  const path = join(FOLDER, "node_modules/.bin", command);
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const options = { cwd: FOLDER, env, timeout: 3 * MINUTE, maxBuffer: 100_000_000 };
  return promisify(execFile)(process.execPath, [path, "lint", DOCUMENT, ...args], options).then(
    ({ stdout }) => stdout,
    (error: unknown) => z.looseObject({ stdout: z.string() }).parse(error).stdout,
  );
}

verifies(
  "openapi.linters",
  "redocly finds nothing in the document",
  async () => {
    const report = await lint("redocly", "--extends=recommended", "--format=json");
    expect(redoclyReport.parse(JSON.parse(report)).problems).toEqual([]);
  },
  4 * MINUTE,
);

verifies(
  "openapi.linters",
  "spectral finds nothing in the document",
  async () => {
    const report = await lint("spectral", "--ruleset", "spectral.yaml", "--format", "json", "--quiet");
    expect(JSON.parse(report)).toEqual([]);
  },
  4 * MINUTE,
);
