import { expect, test } from "vitest";
import { numberOf, oneOf, parseSearch, someOf, stringifySearch, textOf } from "./search.ts";

test("a repeated key is a list, and is written as it was read", () => {
  const text = "?status=failed&status=running&q=a+b";
  expect(parseSearch(text)).toEqual({ status: ["failed", "running"], q: "a b" });
  expect(stringifySearch(parseSearch(text))).toBe(text);
});

test("parameters without a value are left out", () => {
  expect(stringifySearch({ q: undefined, status: [], since: "", sort: "cost" })).toBe("?sort=cost");
  expect(stringifySearch({})).toBe("");
});

test("values that are not allowed are dropped", () => {
  expect(oneOf("cost", ["cost", "newest"])).toBe("cost");
  expect(oneOf("other", ["cost", "newest"])).toBeUndefined();
  expect(someOf(["b", "x", "a"], ["a", "b"])).toEqual(["a", "b"]);
  expect(someOf("b", ["a", "b"])).toEqual(["b"]);
  expect(someOf("x", ["a"])).toBeUndefined();
  expect(textOf("")).toBeUndefined();
  expect(numberOf("2.5")).toBe(2.5);
  expect(numberOf("x")).toBeUndefined();
  expect(numberOf("-1")).toBeUndefined();
});
