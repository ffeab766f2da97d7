import { expect, test } from "vitest";
import { createOutputFinder } from "./find-outputs.ts";

const REPORT = "```csv report.csv\na,b\n```\n";
const ENDLESS = new URL(`data:text/javascript,${encodeURIComponent(endlessProgram())}`);

/** A search that hangs, as one with a catastrophic pattern would. */
function endlessProgram(): string {
  return `import { parentPort } from "node:worker_threads";
    parentPort.on("message", () => { for (;;); });
    parentPort.postMessage("ready");`;
}

test("files are found", async () => {
  const finder = createOutputFinder();
  expect(await finder.find("w", REPORT)).toEqual({ files: [{ name: "report.csv", type: "text/csv", text: "a,b\n" }] });
  expect(await finder.find("w", "No files.")).toEqual({ files: [] });
  await finder.close();
});

test("an endless search is aborted, and the process continues", async () => {
  const finder = createOutputFinder(ENDLESS, 200);
  expect(await finder.find("w", REPORT)).toEqual({
    files: [],
    skipped: expect.stringContaining("took too long"),
    cause: expect.any(Error),
  });
  await finder.close();
});

test("a result that is too long is not searched", async () => {
  const finder = createOutputFinder(ENDLESS);
  const long = REPORT + "x".repeat(4 * 1024 * 1024);
  expect(await finder.find("w", long)).toEqual({ files: [], skipped: expect.stringContaining("more than 4194304") });
});
