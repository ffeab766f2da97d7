import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ServerFacts } from "#db/queries/doctor/server-facts.ts";
import { CHECKS } from "./checks.ts";
import { autovacuum } from "./checks/autovacuum.ts";
import { differenceOf } from "./checks/clock.ts";
import { roomOf } from "./checks/disk.ts";
import { durableWrites } from "./checks/durable-writes.ts";
import { indexes } from "./checks/indexes.ts";
import { judgeArrivals } from "./checks/public-address.ts";
import { readOnly } from "./checks/read-only.ts";
import { tls } from "./checks/tls.ts";
import { versions } from "./checks/versions.ts";
import { xidAge } from "./checks/xid-age.ts";
import { TENANCY_CHECKS } from "./tenancy-checks.ts";
import { FIRST_MIGRATION, latestVersion } from "#db/migration/files.ts";
import type { ServerCheck } from "./define-check.ts";

/** A server without a fault. */
const SOUND: ServerFacts = {
  version: "18.0",
  major: 18,
  schemaVersion: await latestVersion(),
  firstMigration: FIRST_MIGRATION,
  isReadOnly: false,
  isEncrypted: true,
  isOnThisMachine: false,
  now: 0,
  fsync: "on",
  fullPageWrites: "on",
  synchronousCommit: "on",
  autovacuum: "on",
  withoutAutovacuum: [],
  xidAge: 250_000_000,
  invalidIndexes: [],
};

const FAULTS: readonly (readonly [ServerCheck, Partial<ServerFacts>, "warning" | "failed", RegExp])[] = [
  [versions, { schemaVersion: 9_999 }, "failed", /9999/],
  [versions, { firstMigration: "0001-schema.sql" }, "failed", /before the first release/],
  [versions, { schemaVersion: 0 }, "warning", /has version 0,/],
  [readOnly, { isReadOnly: true }, "failed", /no writes/],
  [tls, { isEncrypted: false }, "warning", /not encrypted/],
  [durableWrites, { fsync: "off", fullPageWrites: "off" }, "failed", /fsync and full_page_writes is off/],
  [durableWrites, { synchronousCommit: "off" }, "warning", /last confirmed writes/],
  [autovacuum, { autovacuum: "off" }, "warning", /tables grow/],
  [autovacuum, { withoutAutovacuum: ["tasks"] }, "warning", /off for tasks/],
  [xidAge, { xidAge: 1_200_000_000 }, "warning", /1200 million/],
  [xidAge, { xidAge: 2_000_000_000 }, "failed", /PostgreSQL stops/],
  [indexes, { invalidIndexes: ["a", "b", "c", "d", "e", "f"] }, "warning", /a, b, c, d, e and 1 more/],
];

test("each fault of a server has its outcome and a remedy, and a sound server has none", async () => {
  for (const [check, fault, outcome, text] of FAULTS) {
    expect(await check.run(SOUND), check.name).toEqual({ outcome: "ok", text: expect.any(String) });
    expect(await check.run({ ...SOUND, ...fault }), check.name).toEqual({
      outcome,
      text: expect.stringMatching(text),
      remedy: expect.stringMatching(/./),
    });
  }
  expect(await tls.run({ ...SOUND, isEncrypted: false, isOnThisMachine: true })).toMatchObject({ outcome: "ok" });
});

test("a disk needs a GiB, and fails below 128 MiB", () => {
  const mib = 1024 ** 2;
  expect([2_000, 1_000, 100].map((free) => roomOf(free * mib, "/data").outcome)).toEqual(["ok", "warning", "failed"]);
});

test("clocks differ by what the time of the answer does not explain", () => {
  const at = { before: 10_000, after: 11_000 };
  expect([9_000, 10_500, 12_500].map((database) => differenceOf({ ...at, database }))).toEqual([1_000, 0, 1_500]);
});

test("events are late from two seconds on, and together when less than half of the time is between them", () => {
  const found = [
    [20, 320, 620, 920],
    [1_900, 2_000, 2_300, 2_400],
    [2_100, 2_400, 2_700, 3_000],
    [900, 900, 900, 901],
  ].map((arrivals) => judgeArrivals(arrivals));
  expect(found.map(({ outcome }) => outcome)).toEqual(["ok", "ok", "warning", "warning"]);
  expect(found.map(({ text }) => /late|together/.exec(text)?.[0])).toEqual([undefined, undefined, "late", "together"]);
});

test("the page of doctor explains each check, in the order of the report", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/doctor.md"), "utf8");
  const explained = [...page.matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name);
  expect(explained).toEqual(["settings", "database", ...CHECKS.map(({ name }) => name), ...TENANCY_CHECKS]);
});
