import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Lru } from "./lru.ts";

type Step = readonly ["get" | "set" | "delete", string];
const steps = fc.array(
  fc.tuple(
    fc.constantFrom("get" as const, "set" as const, "delete" as const),
    fc.constantFrom("a", "b", "c", "d", "e"),
  ),
  { maxLength: 60 },
);

test("it always holds the keys that were used last, as a plain list would", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), steps, (capacity, sequence: readonly Step[]) => {
      const lru = new Lru<number>(capacity);
      let model: (readonly [string, number])[] = [];
      sequence.forEach(([step, key], index) => {
        const known = model.find(([name]) => name === key);
        const rest = model.filter(([name]) => name !== key);
        if (step === "get") expect(lru.get(key)).toBe(known?.[1]);
        if (step === "set") lru.set(key, index);
        if (step === "delete") lru.delete(key);
        const used = step === "set" ? ([key, index] as const) : step === "get" ? known : undefined;
        model = used === undefined ? rest : [...rest, used].slice(-capacity);
      });
      for (const [key, value] of model) expect(lru.get(key)).toBe(value);
      for (const key of ["a", "b", "c", "d", "e"]) {
        if (!model.some(([name]) => name === key)) expect(lru.get(key)).toBeUndefined();
      }
    }),
  );
});

test("a cleared one is empty", () => {
  const lru = new Lru<number>(2);
  lru.set("a", 1);
  lru.clear();
  expect(lru.get("a")).toBeUndefined();
});
