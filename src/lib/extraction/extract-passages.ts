import { z } from "zod";
import type { Passage } from "./chunk-blocks.ts";
import { runExtraction } from "./run-extraction.ts";
import type { Extraction } from "./run-extraction.ts";

const answer = z.object({
  passages: z
    .array(z.object({ content: z.string(), heading: z.string().nullable(), page: z.int().nullable() }))
    .readonly(),
});

/** Extracts a file's text and splits it into passages. @throws as {@link runExtraction} */
export async function extractPassages(content: Uint8Array, extraction: Extraction): Promise<readonly Passage[]> {
  return (await runExtraction(content, extraction, { as: "passages", answer })).passages;
}
