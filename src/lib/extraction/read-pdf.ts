import { getDocumentProxy } from "unpdf";
import { body, paragraphs } from "./block.ts";
import type { Block } from "./block.ts";
import { ExtractionError } from "./limits.ts";
import type { ExtractionLimits } from "./limits.ts";

/** A line distance of this many line heights begins a paragraph. */
const PARAGRAPH_STEP = 1.6;

/** The paragraphs of a PDF. @throws ExtractionError for a PDF that is encrypted, broken or too long */
export async function readPdf(content: Uint8Array, { pages }: ExtractionLimits): Promise<Block[]> {
  const pdf = await getDocumentProxy(content).catch(rejectPdf);
  if (pdf.numPages > pages) {
    throw new ExtractionError(`It has ${pdf.numPages} pages; at most ${pages} are read.`);
  }
  const blocks: Block[] = [];
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number).catch(rejectPdf);
    const { items } = await page.getTextContent().catch(rejectPdf);
    const text = joinItems(items.filter((item) => "str" in item));
    blocks.push(...paragraphs(text).map((paragraph) => body(paragraph, number)));
    page.cleanup();
  }
  return blocks;
}

/** A text item of a page as pdf.js returns it: its position is in the last two numbers of `transform`. */
interface TextItem {
  readonly str: string;
  readonly hasEOL: boolean;
  readonly height: number;
  readonly transform: readonly unknown[];
}

/** PDFs have positions, not paragraphs: a larger distance between lines is treated as one. */
function joinItems(items: readonly TextItem[]): string {
  let text = "";
  let last: number | undefined;
  for (const { str, hasEOL, height, transform } of items) {
    const y = Number(transform[5]);
    if (str.trim() !== "") {
      if (last !== undefined && height > 0 && Math.abs(last - y) > height * PARAGRAPH_STEP) text += "\n\n";
      last = y;
    }
    text += str + (hasEOL ? "\n" : "");
  }
  // A word hyphenated at the end of a line is joined.
  return text.replaceAll(/(\p{Ll})-\n(\p{Ll})/gu, "$1$2");
}

function rejectPdf(error: unknown): never {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  if (name === "PasswordException") {
    throw new ExtractionError("It is an encrypted PDF. Upload one that opens without a password.", { cause: error });
  }
  throw new ExtractionError(`It is a PDF that cannot be read: ${message}`, { cause: error });
}
