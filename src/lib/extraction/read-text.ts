import { body, heading, paragraphs } from "./block.ts";
import type { Block } from "./block.ts";
import { ExtractionError } from "./limits.ts";
import { trimEndOf } from "../text/trim-end.ts";

/** The text of a file in UTF-8, or in UTF-16 with a byte order mark. @throws ExtractionError for other encodings */
export function decodeText(content: Uint8Array): string {
  const encoding =
    content[0] === 0xff && content[1] === 0xfe
      ? "utf-16le"
      : content[0] === 0xfe && content[1] === 0xff
        ? "utf-16be"
        : "utf-8";
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(content);
  } catch (cause) {
    throw new ExtractionError("It is not text in UTF-8 or UTF-16. Save it in UTF-8 and upload it again.", { cause });
  }
  if (text.includes("\0")) throw new ExtractionError("It holds bytes that no text has.");
  return text;
}

/** Splits a plain text into paragraphs. */
export function readText(content: Uint8Array): Block[] {
  return paragraphs(decodeText(content)).map((text) => body(text));
}

const HEADING = /^#{1,6}[ \t]/;
const FENCE = /^\s*(```|~~~)/;

/** The headings and paragraphs of a Markdown text; fenced blocks stay whole. */
export function readMarkdown(content: Uint8Array): Block[] {
  const blocks: Block[] = [];
  let lines: string[] = [];
  let fence: string | undefined;
  const end = () => {
    if (lines.length > 0) blocks.push(body(lines.join("\n")));
    lines = [];
  };
  for (const line of decodeText(content).split(/\r?\n/)) {
    const [, mark] = FENCE.exec(line) ?? [];
    if (mark !== undefined && (fence === undefined || fence === mark)) fence = fence === undefined ? mark : undefined;
    const title = fence === undefined ? titleOf(line) : "";
    if (title !== "") {
      end();
      blocks.push(heading(title));
    } else if (fence === undefined && line.trim() === "") end();
    else lines.push(line);
  }
  end();
  return blocks;
}

/** The text of a heading without its marks; empty for other lines. */
function titleOf(line: string): string {
  const [signs] = HEADING.exec(line) ?? [];
  return signs === undefined ? "" : trimEndOf(line.slice(signs.length).trim(), " \t#");
}
