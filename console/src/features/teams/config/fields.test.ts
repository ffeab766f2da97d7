import { expect, test } from "vitest";
import { listAt, moveItem, withFields } from "./fields.ts";

test("an element moves up, down, and not beyond the ends", () => {
  expect(moveItem(["a", "b", "c"], 0, 2)).toEqual(["b", "c", "a"]);
  expect(moveItem(["a", "b", "c"], 2, 0)).toEqual(["c", "a", "b"]);
  expect(moveItem(["a", "b", "c"], 1, 1)).toEqual(["a", "b", "c"]);
});

test("unknown fields stay; undefined removes a field", () => {
  expect(withFields({ mine: 1, name: "a", old: true }, { name: "b", old: undefined })).toEqual({ mine: 1, name: "b" });
});

test("a value that is not a list of objects is an empty list", () => {
  expect(listAt({ steps: "none" }, "steps")).toEqual([]);
  expect(listAt({ steps: [1, { step_name: "a" }] }, "steps")).toEqual([{ step_name: "a" }]);
});
