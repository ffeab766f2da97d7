import { expect, test } from "vitest";
import { isOutage, retryOutage } from "./retry-outage.ts";

function failure(code: string): Error {
  return Object.assign(new Error("It failed."), { code });
}

test.each(["57P01", "57P03", "08006", "53100", "53300", "25006", "40P01"])("%s of PostgreSQL passes", (code) => {
  expect(isOutage(failure(code))).toBe(true);
});

test.each(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"])("%s on the way passes", (code) => {
  expect(isOutage(failure(code))).toBe(true);
});

test.each(["23505", "42P01", "22P05", "57014", "25P02", "EACCES"])("%s does not pass by itself", (code) => {
  expect(isOutage(failure(code))).toBe(false);
});

test.each(["57014", "53200", "58030"])("a statement that fails repeatedly with %s is given up", async (code) => {
  let calls = 0;
  const fails = () => {
    calls += 1;
    return Promise.reject(failure(code));
  };
  await expect(retryOutage(fails)).rejects.toThrow("It failed.");
  expect(calls).toBe(4);
});
