import fc from "fast-check";
import { expect, test } from "vitest";
import { nameStem, uniqueName } from "./unique-name.ts";

test("an existing name gets the next free number, before the suffix", () => {
  expect(uniqueName("A", new Set())).toBe("A");
  expect(uniqueName("A", new Set(["A", "A 2"]))).toBe("A 3");
  expect(uniqueName("A", new Set(["A"]), " (imported)")).toBe("A (imported)");
  expect(uniqueName("A", new Set(["A (imported)"]), " (imported)")).toBe("A 2 (imported)");
});

test("a name never exceeds 100 characters, is well formed and begins with its stem", () => {
  const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 120 });
  fc.assert(
    fc.property(name, fc.constantFrom("", " (imported)"), (given, suffix) => {
      const taken = new Set<string>();
      for (let i = 0; i < 12; i++) {
        const made = uniqueName(given, taken, suffix);
        expect(made.length).toBeLessThanOrEqual(100);
        expect(made.isWellFormed()).toBe(true);
        expect(made.startsWith(nameStem(given, suffix))).toBe(true);
        expect(taken.has(made)).toBe(false);
        taken.add(made);
      }
    }),
  );
});
