import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { gitCommit } from "./git-commit.ts";

test("the commit is found on a branch, in packed branches, detached and in a linked worktree", () => {
  const { place, git } = repository();
  const commit = git("rev-parse", "HEAD");
  expect(commit).toMatch(/^[0-9a-f]{40}$/);
  expect(gitCommit(place)).toBe(commit);
  git("pack-refs", "--all");
  expect(gitCommit(place)).toBe(commit);
  git("worktree", "add", "-q", "linked", "-b", "other");
  expect(gitCommit(join(place, "linked"))).toBe(commit);
  git("checkout", "-q", "--detach");
  expect(gitCommit(place)).toBe(commit);
});

test("a folder that is no checkout, or an empty one, has no commit", () => {
  const { place, git } = repository();
  expect(gitCommit(tmpdir())).toBeUndefined();
  git("checkout", "-q", "--orphan", "empty");
  expect(gitCommit(place)).toBeUndefined();
  writeFileSync(join(place, ".git", "HEAD"), "damaged\n");
  expect(gitCommit(place)).toBeUndefined();
});

function repository() {
  const place = mkdtempSync(join(tmpdir(), "muster-commit-"));
  onTestFinished(() => rmSync(place, { recursive: true }));
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
      cwd: place,
      encoding: "utf8",
    }).trim();
  git("init", "-q", "-b", "main");
  git("commit", "-q", "--allow-empty", "-m", "one");
  return { place, git };
}
