import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, onTestFinished } from "vitest";
import { findPythons, NO_PYTHON } from "../support/clients/python.ts";
import type { Python } from "../support/clients/python.ts";
import { readPage } from "../support/docs/read-page.ts";
import { startService } from "../support/service.ts";
import type { TestService } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";

const MINUTES = 5 * 60_000;
const ROOT = join(import.meta.dirname, "../..");
const CLIENT = join(ROOT, "clients/python");
const PAGES = ["clients/python/README.md", "docs/guides/python.md"];
const pythons = await findPythons();
const checking = pythons.find(({ hasMypy }) => hasMypy);
const without = pythons.length === 0 ? `, skipped: ${NO_PYTHON}` : "";

describe.skipIf(pythons.length === 0)(`the Python client${without}`, () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ env: { RATE_LIMIT_ENTERPRISE: "off" } });
    return () => service.stop();
  });

  for (const python of pythons) {
    verifies(
      ["client.python.operations", "client.python.streams", "client.python.retries"],
      `its tests pass with Python ${python.version}`,
      async () => {
        const { stderr } = await run(python, ["-m", "unittest", "discover", "-t", ".", "-s", "tests"]);
        expect(stderr).toMatch(/^Ran 2\d tests in .*\n\nOK\n$/m);
      },
      MINUTES,
    );
  }

  describe.skipIf(checking === undefined)(`its types${checking ? "" : ", skipped: no Python has mypy"}`, () => {
    verifies(
      "client.python.types",
      "mypy finds nothing in the client and its examples in strict mode",
      async () => {
        const examples = await mkdtemp(join(tmpdir(), "muster-examples-"));
        onTestFinished(() => rm(examples, { recursive: true }));
        const texts = PAGES.flatMap((page) => readPage(join(ROOT, page))).flatMap((block) =>
          block.kind === "run" && block.lang === "python" ? [block.text] : [],
        );
        const files = texts.map((_, index) => join(examples, `example_${index}.py`));
        await Promise.all(files.map((file, index) => writeFile(file, texts[index] ?? "")));
        const { stdout } = await run(checking, ["-m", "mypy", "--cache-dir", "/dev/null", "src", ...files]);
        expect(stdout).toMatch(/^Success: no issues found in \d+ source files\n$/);
        expect(files.length).toBeGreaterThan(10);
      },
      MINUTES,
    );
  });

  async function run(python: Python | undefined, args: readonly string[]) {
    const { url, keys } = service;
    const env = {
      ...python?.env,
      MUSTER_URL: url,
      MUSTER_API_KEY: keys.api,
      MUSTER_TABLE_KEY: keys.table,
      MYPYPATH: "src",
    };
    return promisify(execFile)(python?.program ?? "", [...args], { cwd: CLIENT, env });
  }
});
