import fc from "fast-check";
import { expect, test } from "vitest";
import { verifies } from "../../../../test/support/verifies.ts";
import { parseArrayLiteral } from "./array-literal.ts";

test("a list is read as PostgreSQL reads it", () => {
  for (const [literal, list] of [
    ["{}", []],
    [" { } ", []],
    ["{a}", ["a"]],
    ["{a, b c ,NULL,null}", ["a", "b c", null, null]],
    [String.raw`{"a,b", "c\"d\\" ,"","NULL"}`, ["a,b", 'c"d\\', "", "NULL"]],
    ["{ä,日}", ["ä", "日"]],
  ] as const) {
    expect([literal, parseArrayLiteral(literal)]).toEqual([literal, list]);
  }
});

test("a value that is not a list is rejected", () => {
  for (const literal of ["", "{", "}", "a", "a,b", "{a", "{,}", "{a,}", '{"a}', '{"a"b}', "{{a}}", "{a\\}", "{a b}x"]) {
    expect([literal, parseArrayLiteral(literal)]).toEqual([literal, undefined]);
  }
});

test("every list of texts is parsed back from its literal", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (list) => {
      const literal = `{${list.map((each) => `"${each.replaceAll(/["\\]/g, String.raw`\$&`)}"`).join(",")}}`;
      expect(parseArrayLiteral(literal)).toEqual(list);
    }),
  );
});

verifies("table-api.linear-time", "a hostile list literal is read in linear time", () => {
  const size = 200_000;
  for (const [start, filler, end] of [
    ["{", " ", "\\}"],
    ["{a", " ", "\\}"],
    ["", " ", "x"],
    ["{", "}", "x"],
    ["{", "a ", '"}'],
    ['{"', "\\", "}"],
    ["{", ",", "}"],
    ["{", '"', "}"],
  ] as const) {
    const begin = performance.now();
    parseArrayLiteral(start + filler.repeat(size) + end);
    expect([filler, performance.now() - begin < 1_000]).toEqual([filler, true]);
  }
});
