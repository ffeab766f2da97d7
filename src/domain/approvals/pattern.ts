import { RE2JS } from "re2js";

/** Compiles a regular expression in the syntax of RE2, which matches in linear time. Returns undefined for an invalid one. */
export function compilePattern(text: string): RE2JS | undefined {
  try {
    return RE2JS.compile(text);
  } catch {
    return undefined;
  }
}
