import { fileTypeFromBuffer } from "file-type";
import type { Block, Extracted } from "./block.ts";
import { formatLabel, mediaTypeOf } from "./format.ts";
import type { DocumentFormat } from "./format.ts";
import { ExtractionError } from "./limits.ts";
import type { ExtractionLimits } from "./limits.ts";

type Reader = (content: Uint8Array, limits: ExtractionLimits) => Block[] | Extracted | Promise<Extracted>;

/** Loaded on demand: a reader may be a large library, and each file is read by a new process. */
const READERS: Readonly<Record<DocumentFormat, () => Promise<Reader>>> = {
  text: async () => (await import("./read-text.ts")).readText,
  markdown: async () => (await import("./read-text.ts")).readMarkdown,
  html: async () => (await import("./read-html.ts")).readHtml,
  csv: async () => (await import("./read-csv.ts")).readCsv,
  json: async () => (await import("./read-json.ts")).readJson,
  pdf: async () => (await import("./read-pdf.ts")).readPdf,
  docx: async () => (await import("./read-docx.ts")).readDocx,
};

/** Formats recognised by their first bytes; any other recognised type is not text. */
const BINARY: ReadonlySet<DocumentFormat> = new Set(["pdf", "docx"] as const);
/** XML is recognised but is text as well: XHTML begins with it. */
const TEXTS = new Set(["application/xml"]);

/**
 * The text of a file as blocks, with warnings of what could not be read in full.
 * @param format the declared format, which the content must have
 * @throws ExtractionError when the content has another format, is broken, exceeds a limit, or has no text
 */
export async function readBlocks(
  content: Uint8Array,
  { format, limits }: { readonly format: DocumentFormat; readonly limits: ExtractionLimits },
): Promise<Extracted> {
  await checkContent(content, format);
  const reader = await READERS[format]();
  const read = await reader(content, limits);
  const { blocks: all, warnings } = Array.isArray(read) ? { blocks: read, warnings: [] } : read;
  const blocks = all.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  if (blocks.length === 0) {
    const scan = format === "pdf" ? " Its pages may be pictures: have the text recognised first." : "";
    throw new ExtractionError(`There is no text in it.${scan}`);
  }
  const characters = blocks.reduce((sum, { text }) => sum + text.length, 0);
  if (characters > limits.characters) {
    throw new ExtractionError(`Its text has ${characters} characters; at most ${limits.characters} are read.`);
  }
  return { blocks, warnings };
}

/** Loads everything that a format needs, including lazy imports of libraries. */
export async function loadReader(format: DocumentFormat, limits: ExtractionLimits): Promise<void> {
  const reader = await READERS[format]();
  try {
    await reader(new Uint8Array(), limits);
  } catch {
    // The warm-up call has nothing to read, so its error is expected.
  }
}

async function checkContent(content: Uint8Array, format: DocumentFormat): Promise<void> {
  if (content.length === 0) throw new ExtractionError("It is empty.");
  const sniffed = await fileTypeFromBuffer(content);
  const label = formatLabel(format);
  if (BINARY.has(format)) {
    if (sniffed?.mime === mediaTypeOf(format)) return;
    throw new ExtractionError(`It was declared as ${label}, but it is ${sniffed?.mime ?? "something else"}.`);
  }
  if (sniffed === undefined || sniffed.mime.startsWith("text/") || TEXTS.has(sniffed.mime)) return;
  throw new ExtractionError(`It was declared as ${label}, but it is ${sniffed.mime}.`);
}
