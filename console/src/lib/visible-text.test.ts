import { expect, test } from "vitest";
import { visibleText } from "./visible-text.ts";

test("direction controls become visible, other text stays as it is", () => {
  expect(visibleText("invoice\u202Efdp.exe")).toBe("invoice⟦U+202E⟧fdp.exe");
  expect(visibleText("שלום, ok 👋")).toBe("שלום, ok 👋");
});
