import { z } from "zod";
import type { Passage } from "./chunk-blocks.ts";
import { runExtraction } from "./run-extraction.ts";
import type { Extraction } from "./run-extraction.ts";

const answer = z.object({
  passages: z
    .array(z.object({ content: z.string(), heading: z.string().nullable(), page: z.int().nullable() }))
    .readonly(),
  warnings: z.array(z.string()).readonly(),
});

/** A file's passages, and what could not be read in full. */
export interface ExtractedPassages {
  readonly passages: readonly Passage[];
  readonly warnings: readonly string[];
}

/** Extracts a file's text and splits it into passages. @throws as {@link runExtraction} */
export function extractPassages(content: Uint8Array, extraction: Extraction): Promise<ExtractedPassages> {
  return runExtraction(content, extraction, { as: "passages", answer });
}
