import { z } from "zod";
import { runExtraction } from "./run-extraction.ts";
import type { Extraction } from "./run-extraction.ts";

const answer = z.object({ text: z.string() });

/** Extracts a file's whole text, with empty lines between paragraphs. @throws as {@link runExtraction} */
export async function extractText(content: Uint8Array, extraction: Extraction): Promise<string> {
  return (await runExtraction(content, extraction, { as: "text", answer })).text;
}
