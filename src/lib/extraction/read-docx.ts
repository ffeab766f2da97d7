import mammoth from "mammoth";
import type { Extracted } from "./block.ts";
import { checkArchive } from "./check-archive.ts";
import { ExtractionError, issueOf } from "./limits.ts";
import type { ExtractionLimits } from "./limits.ts";
import { readMarkup } from "./read-html.ts";

/**
 * The headings, paragraphs and tables of a Word document. @throws ExtractionError for a broken document or an archive
 * bomb
 */
export async function readDocx(content: Uint8Array, { unpackedBytes }: ExtractionLimits): Promise<Extracted> {
  const buffer = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  await checkArchive(buffer, unpackedBytes);
  try {
    const convertImage = mammoth.images.imgElement(() => Promise.resolve({ src: "" }));
    const { value } = await mammoth.convertToHtml({ buffer }, { convertImage, externalFileAccess: false });
    return { blocks: readMarkup(value), warnings: [] };
  } catch (cause) {
    throw new ExtractionError(`It is a Word document that cannot be read: ${issueOf(cause)}`, { cause });
  }
}
