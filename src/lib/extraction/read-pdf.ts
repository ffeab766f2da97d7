import { fileURLToPath } from "node:url";
import { getDocumentProxy } from "unpdf";
import { body, paragraphs } from "./block.ts";
import type { Block, Extracted } from "./block.ts";
import { enumerate } from "./enumerate.ts";
import { ExtractionError, issueOf } from "./limits.ts";
import type { ExtractionLimits } from "./limits.ts";
import { formValues } from "./read-pdf-form.ts";

/** A line distance of this many line heights begins a paragraph. */
const PARAGRAPH_STEP = 1.6;
/** Codes that a font draws and nothing explains: of private use, or a replacement. */
const MEANINGLESS = /[\p{Co}\uFFFD]/u;
/** Without these maps, texts in fonts with predefined encodings, as in many Chinese and Japanese PDFs, are empty. */
const CHARACTER_MAPS = fileURLToPath(new URL(".", import.meta.resolve("#character-maps/H.bcmap")));

/**
 * The paragraphs of a PDF, with the values of its form. A page that cannot be read is a warning.
 * @throws ExtractionError for a PDF that is encrypted, broken or too long
 */
export async function readPdf(content: Uint8Array, { pages }: ExtractionLimits): Promise<Extracted> {
  const pdf = await getDocumentProxy(content, { cMapUrl: CHARACTER_MAPS, cMapPacked: true }).catch(rejectPdf);
  if (pdf.numPages > pages) {
    throw new ExtractionError(`It has ${pdf.numPages} pages; at most ${pages} are read.`);
  }
  const blocks: Block[] = [];
  const problems = new Map<string, number[]>();
  for (let number = 1; number <= pdf.numPages; number++) {
    const read = await readPage(await pdf.getPage(number).catch(rejectPdf));
    blocks.push(...read.texts.map((text) => body(text, number)));
    if (read.problem !== undefined) problems.set(read.problem, [...(problems.get(read.problem) ?? []), number]);
  }
  return { blocks, warnings: [...problems].map(([problem, on]) => `Page ${enumerate(on)}: ${problem}`) };
}

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>["getPage"]>>;

/** The paragraphs of a page, and why they are not all of its text. */
async function readPage(page: Page): Promise<{ readonly texts: readonly string[]; readonly problem?: string }> {
  try {
    const [{ items }, annotations] = await Promise.all([page.getTextContent(), page.getAnnotations()]);
    const texts = [...paragraphs(joinItems(items.filter((item) => "str" in item))), ...formValues(annotations)];
    if (texts.every((text) => text.trim() === "")) return { texts, problem: "no text; a picture of text is not read." };
    if (!texts.some((text) => MEANINGLESS.test(text))) return { texts };
    return { texts, problem: "a font does not say which letters it draws, so that some are missing." };
  } catch (error) {
    return { texts: [], problem: `it could not be read: ${issueOf(error)}` };
  } finally {
    page.cleanup();
  }
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
  throw new ExtractionError(`This PDF cannot be read: ${message}`, { cause: error });
}
