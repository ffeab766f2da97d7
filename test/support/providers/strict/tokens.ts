import { createHash } from "node:crypto";

const BYTES_PER_TOKEN = 4;

/** The tokens of a piece of a prompt, as all strict vendors count them. */
export function tokensOf(value: unknown): number {
  return Math.ceil(JSON.stringify(value ?? "").length / BYTES_PER_TOKEN);
}

/** A digest of a piece of a prompt. */
export function digest(...values: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(values)).digest("base64url");
}

/**
 * A cache that recognises the longest prefix of a prompt that it has seen, in whole pieces: of what vendors cache
 * without being asked.
 */
export function createPrefixCache({ minimum, step }: { readonly minimum: number; readonly step: number }) {
  const seen = new Set<string>();
  return {
    /** Returns how many of the prompt's tokens were cached, and remembers the prompt. */
    read(pieces: readonly unknown[], key = ""): { readonly total: number; readonly cached: number } {
      let total = 0;
      let cached = 0;
      let prefix = digest(key);
      for (const piece of pieces) {
        prefix = digest(prefix, piece);
        total += tokensOf(piece);
        if (seen.has(prefix)) cached = total;
        seen.add(prefix);
      }
      return { total, cached: cached < minimum ? 0 : cached - (cached % step) };
    },
  };
}
