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

/** What tests in a browser need. */
const BROWSER = {
  globalSetup: ["test/browser/global-setup.ts"],
  testTimeout: 300 * SECOND,
  hookTimeout: 120 * SECOND,
  expect: POLL,
};

/** Begins with the unit tests: a few of them wait for seconds, and would leave the processor idle at the end. */
class UnitFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isUnit = ({ project }: TestSpecification) => project.name === "unit";
    const sorted = await super.sort(files);
    return [...sorted.filter(isUnit), ...sorted.filter((file) => !isUnit(file))];
  }
}

export default defineConfig({
  test: {
    reporters: ["default"],
    sequence: { sequencer: UnitFirst },
    globalSetup: ["test/support/database.ts"],
    projects: [
      {
        test: {
          name: "unit",
          isolate: false,
          include: [
            "src/**/*.test.ts",
            "clients/**/*.test.ts",
            "console/src/**/*.test.ts",
            "test/support/**/*.test.ts",
            "test/workshop/**/*.test.ts",
          ],
          expect: POLL,
          testTimeout: 30 * SECOND,
        },
      },
      {
        test: {
          name: "contract",
          isolate: false,
          include: ["test/contract/**/*.test.ts"],
          expect: POLL,
          testTimeout: 60 * SECOND,
          hookTimeout: 120 * SECOND,
        },
      },
      {
        test: {
          name: "e2e",
          isolate: false,
          include: ["test/e2e/*.test.ts", "test/e2e/{cli,crashes}/*.test.ts"],
          expect: POLL,
          testTimeout: 180 * SECOND,
          hookTimeout: 120 * SECOND,
        },
      },
      {
        test: {
          name: "browser",
          isolate: false,
          include: ["test/browser/*.test.ts"],
          ...BROWSER,
        },
      },
      {
        test: {
          name: "details",
          isolate: false,
          include: ["test/{browser,e2e}/details/*.test.ts"],
          ...BROWSER,
        },
      },
      {
        test: {
          name: "soak",
          include: ["test/soak/**/*.test.ts"],
          expect: POLL,
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
        description: "Takes about a second of CPU time, or more. Not in `npm test`.",
        timeout: 300 * SECOND,
      },
    ],
    teardownTimeout: 60 * SECOND,
  },
});
