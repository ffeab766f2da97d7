import { availableParallelism, totalmem } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

const SECOND = 1_000;
const GIB = 1024 ** 3;
/** What a worker takes with its services and browser, at most. */
const WORKER_BYTES = 2 * GIB;
/** Two more than the cores, because a fifth of a worker's time is spent waiting; at least one. */
const WORKERS = Math.max(1, Math.min(availableParallelism() + 2, 6, Math.floor(totalmem() / WORKER_BYTES) - 1));
// The limits end what hangs. They are no measure of speed: a busy machine takes several times as long as a quiet one.
/** How long `expect.poll` waits for what follows a moment after what causes it. */
const POLL = { poll: { timeout: 30 * SECOND, interval: 50 } };

/** One process for many files. */
const SHARED = { isolate: false, expect: POLL };

/** What tests in a browser need. */
const BROWSER = {
  ...SHARED,
  globalSetup: ["test/browser/global-setup.ts"],
  testTimeout: 300 * SECOND,
  hookTimeout: 120 * SECOND,
};

/**
 * The order of the kinds: unit tests first, because a few of them wait for seconds. Contract tests last: they have the
 * most files and the shortest, so the workers finish together.
 */
const ORDER = ["unit", "browser", "e2e", "contract"];

/** Sorts by kind, and within a kind as vitest does: the longest files first. */
class ByKind extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project }: TestSpecification) => ORDER.indexOf(project.name);
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  test: {
    reporters: ["default"],
    sequence: { sequencer: ByKind },
    globalSetup: ["test/support/database.ts"],
    projects: [
      {
        test: {
          ...SHARED,
          name: "unit",
          include: [
            "src/**/*.test.ts",
            "clients/**/*.test.ts",
            "console/src/**/*.test.ts",
            "test/support/**/*.test.ts",
            "test/workshop/**/*.test.ts",
          ],
          testTimeout: 30 * SECOND,
        },
      },
      {
        test: {
          ...SHARED,
          name: "contract",
          include: ["test/contract/**/*.test.ts"],
          testTimeout: 60 * SECOND,
          hookTimeout: 120 * SECOND,
        },
      },
      {
        test: {
          ...SHARED,
          name: "e2e",
          include: ["test/e2e/*.test.ts", "test/e2e/{cli,crashes}/*.test.ts"],
          testTimeout: 180 * SECOND,
          hookTimeout: 120 * SECOND,
        },
      },
      { test: { ...BROWSER, name: "browser", include: ["test/browser/*.test.ts"] } },
      { test: { ...BROWSER, name: "details", include: ["test/{browser,e2e}/details/*.test.ts"] } },
      {
        test: {
          name: "release",
          expect: POLL,
          include: ["test/release/*.test.ts"],
          globalSetup: ["test/browser/global-setup.ts"],
          testTimeout: 300 * SECOND,
          hookTimeout: 180 * SECOND,
        },
      },
      {
        test: {
          name: "soak",
          expect: POLL,
          include: ["test/soak/**/*.test.ts"],
          globalSetup: ["test/browser/global-setup.ts"],
          testTimeout: 240 * SECOND,
          hookTimeout: 180 * SECOND,
          // Each loads the whole machine; side by side they would measure each other.
          fileParallelism: false,
        },
      },
    ],
    maxWorkers: WORKERS,
    tags: [
      {
        name: "slow",
        description:
          "Takes about a second of CPU time or more, or half a second for what others prove, too. Not in `npm test`.",
        timeout: 300 * SECOND,
      },
    ],
    teardownTimeout: 60 * SECOND,
  },
});
