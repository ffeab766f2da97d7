import { z } from "zod";
import { runExtraction } from "./run-extraction.ts";
import type { Extraction } from "./run-extraction.ts";

const answer = z.object({ text: z.string(), warnings: z.array(z.string()).readonly() });

/** A file's whole text, and what could not be read in full. */
export type ExtractedText = z.output<typeof answer>;

/** Extracts a file's whole text, with empty lines between paragraphs. @throws as {@link runExtraction} */
export function extractText(content: Uint8Array, extraction: Extraction): Promise<ExtractedText> {
  return runExtraction(content, extraction, { as: "text", answer });
}
