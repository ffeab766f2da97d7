import { expect, test } from "vitest";
import { createCpuBudget } from "./cpu-budget.ts";

test("a key may use its burst immediately, and waits until it has paid for any excess", async () => {
  const budget = createCpuBudget({ burstMs: 100, refillMsPerSecond: 1_000 });
  const { signal } = new AbortController();
  await budget.wait("a", signal);
  const began = performance.now();
  budget.charge("a", 250);
  await budget.wait("b", signal);
  await budget.wait("a", signal);
  expect(performance.now() - began).toBeGreaterThan(145);
});

test("a wait ends with its signal", async () => {
  const budget = createCpuBudget({ burstMs: 100, refillMsPerSecond: 1 });
  budget.charge("a", 1_000);
  await expect(budget.wait("a", AbortSignal.abort())).rejects.toThrow(/abort/);
});
