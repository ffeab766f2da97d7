import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifies } from "../../../test/support/verifies.ts";
import { ensurePrivateFolder, ensureProtectedFolder, isPrivateFolder } from "./folder-trust.ts";
import type { ServerAccount } from "./server-account.ts";

const OTHER_USER = 65_534;
const isRoot = process.getuid?.() === 0;
const self: ServerAccount = {
  name: "self",
  uid: process.getuid?.() ?? 0,
  gid: process.getgid?.() ?? 0,
  differs: false,
};

let parent: string;

beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), "muster-trust-"));
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

test("a missing folder is created, for its owner only", () => {
  const folder = join(parent, "made");
  ensurePrivateFolder(folder, self);
  expect(lstatSync(folder).mode & 0o777).toBe(0o700);
  expect(isPrivateFolder(folder, self)).toBe(true);
  ensurePrivateFolder(folder, self);
});

verifies(
  "start.embedded.foreign-folder-refused",
  "a folder that is open to others, or a link to a private one, is not private",
  () => {
    const open = folderOf({ mode: 0o755 });
    const link = join(parent, "link");
    symlinkSync(folderOf({ mode: 0o700 }), link);
    for (const folder of [open, link])
      expect(() => ensurePrivateFolder(folder, self)).toThrow(/no other user can access/);
  },
);

verifies(
  "start.embedded.foreign-folder-refused",
  "a folder that others may write to, or a link, does not count as protected",
  () => {
    const link = join(parent, "link to protected");
    symlinkSync(folderOf({ mode: 0o755 }), link);
    for (const folder of [folderOf({ mode: 0o777 }), link]) {
      expect(() => ensureProtectedFolder(folder)).toThrow(/only its owner/);
    }
    ensureProtectedFolder(folderOf({ mode: 0o755 }));
  },
);

test.runIf(isRoot)(
  "a folder of another user is neither private nor protected",
  { meta: { verifies: ["start.embedded.foreign-folder-refused"] } },
  () => {
    const folder = folderOf({ mode: 0o700 });
    chownSync(folder, OTHER_USER, OTHER_USER);
    expect(() => ensurePrivateFolder(folder, self)).toThrow(/no other user can access/);
    expect(() => ensureProtectedFolder(folder)).toThrow(/only its owner/);
  },
);

let made = 0;

function folderOf({ mode }: { readonly mode: number }): string {
  const folder = join(parent, `folder ${(made += 1)}`);
  mkdirSync(folder);
  chmodSync(folder, mode);
  return folder;
}
