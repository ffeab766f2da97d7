import { z } from "zod";

const DIGITS = /^-?\d{1,15}$/;

/** A whole number in a query or a path. It must be written in digits: `1e2`, `0x10` and ` 5` are rejected. */
export function wholeNumber({ min, max = Number.MAX_SAFE_INTEGER }: { readonly min: number; readonly max?: number }) {
  const error = ({ code, input }: { readonly code: string; readonly input?: unknown }) => {
    if (code !== "invalid_type") return undefined;
    return input === undefined ? "is required" : "must be a whole number";
  };
  return z.preprocess(fromDigits, z.int({ error }).min(min).max(max));
}

function fromDigits(given: unknown): unknown {
  return typeof given === "string" && DIGITS.test(given) ? Number(given) : given;
}
