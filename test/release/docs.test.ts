import { globSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasProgram } from "../support/clients/has-program.ts";
import { findPythons, NO_PYTHON } from "../support/clients/python.ts";
import { readPage } from "../support/docs/read-page.ts";
import { runPage } from "../support/docs/run-page.ts";
import { sceneOf, startPageService, startDocsFixtures } from "../support/docs/scene.ts";
import type { DocsFixtures } from "../support/docs/scene.ts";
import { verifies } from "../support/verifies.ts";

const ROOT = join(import.meta.dirname, "../..");
/** The maximum number of skipped blocks: raise it only with a good reason, and lower it when one can be run. */
const MAX_LEFT_OUT = 28;
/** What the pages expect on a reader's machine. */
const PROGRAMS = ["bash", "curl", "openssl", "python3"];
const PAGES = ["README.md", "clients/python/README.md", ...globSync("docs/**/*.md", { cwd: ROOT }).toSorted()];

const blocks = PAGES.flatMap((page) => readPage(join(ROOT, page)).map((block) => ({ page, block })));
const missing = PROGRAMS.filter((program) => !hasProgram(program));
const without = missing.length > 0 ? `, skipped without ${missing.join(", ")}` : "";
const [python] = await findPythons();
const pythonPath = {
  PYTHONPATH: python?.env["PYTHONPATH"] ?? "",
  PYTHONPYCACHEPREFIX: python?.env["PYTHONPYCACHEPREFIX"] ?? "",
};
const withoutClient = python === undefined ? `, skipped: ${NO_PYTHON}` : "";

describe.skipIf(missing.length > 0)(`the documentation${without}`, () => {
  let around: DocsFixtures;
  beforeAll(async () => {
    around = await startDocsFixtures();
  });
  afterAll(() => around.close());

  const pages = PAGES.filter(hasRunnable);
  for (const page of pages.filter((one) => !usesClient(one))) {
    verifies("docs.run", `the blocks of ${page} run as printed`, () => run(page));
  }

  describe.skipIf(python === undefined)(`with the Python client${withoutClient}`, () => {
    for (const page of pages.filter(usesClient)) {
      verifies(["docs.run", "client.python.recipes"], `the blocks of ${page} run as printed`, () => run(page));
    }
  });

  async function run(page: string): Promise<void> {
    const service = await startPageService(around);
    try {
      const { env, ...scene } = sceneOf(service, around);
      const failure = await runPage(join(ROOT, page), {
        ...scene,
        env: { ...env, ...pythonPath },
        python: python?.program ?? "python3",
      });
      if (failure !== undefined) throw new Error(`${page}:\n${failure}`);
    } finally {
      await service.stop();
    }
  }
});

test("few blocks are skipped, each with its reason", () => {
  const leftOut = blocks.flatMap(({ page, block }) =>
    block.kind === "run" && block.notRun !== undefined ? [`${page}: ${block.notRun}`] : [],
  );
  expect(leftOut.length, leftOut.join("\n")).toBeLessThanOrEqual(MAX_LEFT_OUT);
});

function hasRunnable(page: string): boolean {
  return blocks.some((one) => one.page === page && one.block.kind === "run" && one.block.notRun === undefined);
}

function usesClient(page: string): boolean {
  return blocks.some((one) => one.page === page && /^from muster_client import/m.test(one.block.text));
}
