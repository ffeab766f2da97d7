import { z } from "zod";

/** One of some words, which some clients write in lower case; it is read as it is in the list. */
export function anyCase<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.preprocess((given) => {
    if (typeof given !== "string") return given;
    return words.find((known) => known.toLowerCase() === given.toLowerCase()) ?? given;
  }, z.enum(words));
}
