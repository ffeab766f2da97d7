import { expect, test } from "vitest";
import { claimedIds } from "./claimed-ids.ts";

test("one id is read from the call", () => {
  expect(claimedIds(`verifies("a.one", "works", () => {});`).ids).toEqual(["a.one"]);
});

test("a list over several lines is read", () => {
  const source = `verifies(
    [
      "a.one", // and why
      'a.two',
      \`a.three\`,
    ],
    "works", async () => {},
  );`;
  expect(claimedIds(source).ids).toEqual(["a.one", "a.two", "a.three"]);
});

test("the rows of a table are read from their property", () => {
  const source = `
    const rows: readonly Row[] = [
      { verifies: "a.one", body: { title: 1 } },
      { verifies: ["a.two", "a.three"], body: {} },
    ];
    for (const row of rows) verifies(row.verifies, "rejects " + row.body, () => {});`;
  expect(claimedIds(source)).toEqual({ ids: ["a.one", "a.two", "a.three"], unreadableLines: [] });
});

test("an id in a comment, a name or a body claims nothing", () => {
  const source = `
    // verifies("a.comment", "", () => {});
    verifies("a.one", "a.name", () => { use("a.body", "verifies('a.text')", /verifies\\("a.pattern/); });`;
  expect(claimedIds(source).ids).toEqual(["a.one"]);
});

test("an id named twice is given once", () => {
  const call = `verifies("a.one", "works", () => {});`;
  expect(claimedIds(call + call).ids).toEqual(["a.one"]);
});

test("a call whose ids come from elsewhere is reported by its line", () => {
  const source = `const id = "a.one";\n\nverifies(id, "works", () => {});`;
  expect(claimedIds(source)).toEqual({ ids: [], unreadableLines: [3] });
});
