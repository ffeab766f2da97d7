import { expect, test } from "vitest";
import { COMMANDS } from "./commands/gen/registry.ts";
import { SECTIONS } from "./sections.ts";

test("the help lists every command once", () => {
  expect(SECTIONS.flatMap(({ commands }) => commands).toSorted()).toEqual(Object.keys(COMMANDS).toSorted());
});
