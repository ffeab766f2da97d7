import { describe, expect, test } from "vitest";
import { pdfDocument, wordDocument } from "../../../test/support/documents.ts";
import { chunkBlocks } from "./chunk-blocks.ts";
import type { DocumentFormat } from "./format.ts";
import { readBlocks } from "./read-blocks.ts";

const MIB = 1024 * 1024;
const LIMITS = { pages: 20, unpackedBytes: 20 * MIB, characters: 1_000_000, memoryBytes: 400 * MIB, timeoutMs: 60_000 };

/** What the extraction process does with a document; extract-passages.test.ts starts it. */
async function passagesIn(format: DocumentFormat, content: string | Buffer) {
  return chunkBlocks(await readBlocks(new Uint8Array(Buffer.from(content)), { format, limits: LIMITS }));
}

const texts = async (format: DocumentFormat, content: string | Buffer) =>
  (await passagesIn(format, content)).map(({ content: text }) => text).join("\n---\n");

describe("each format gives its text", () => {
  test("plain text, also in UTF-16", async () => {
    expect(await texts("text", "Hello there.\n\nSecond paragraph.")).toBe("Hello there.\n\nSecond paragraph.");
    expect(await texts("text", Buffer.from("\uFEFFGrüße", "utf16le"))).toBe("Grüße");
  });

  test("Markdown keeps its headings apart, and a fence whole", async () => {
    const found = await passagesIn("markdown", "# Intro\n\nHello.\n\n## Code\n\n```\na\n\n# no heading\n```\n");
    expect(found).toEqual([
      { heading: "Intro", content: "Hello.", page: null },
      { heading: "Code", content: "```\na\n\n# no heading\n```", page: null },
    ]);
  });

  test("HTML gives the readable text, without scripts", async () => {
    const page = `<html><head><title>T</title><script>bad()</script></head><body><h1>Prices</h1>
      <p>A ticket costs <b>five</b> euros.</p><table><tr><td>Child</td><td>2</td></tr></table></body></html>`;
    const text = await texts("html", page);
    expect(text).toContain("A ticket costs five euros.");
    expect(text).toContain("Child | 2 |");
    expect(text).not.toContain("bad()");
  });

  test("CSV names the column of each value", async () => {
    expect(await texts("csv", "name;price\nTea;3\nCake;4\n")).toBe("name: Tea; price: 3\n\nname: Cake; price: 4");
  });

  test("JSON names the path to each value", async () => {
    expect(await texts("json", '[{"a":{"b":1},"tags":["x","y"]},{"c":null}]')).toBe("a.b: 1\ntags: x, y\n\nc: null");
  });

  test("Word gives its paragraphs", async () => {
    expect(await texts("docx", wordDocument(["One.", "Two."]))).toBe("One.\n\nTwo.");
  });
});

describe("an unreadable document is rejected with the reason", () => {
  const bomb = wordDocument(["x"], [{ name: "word/media/a.bin", content: Buffer.alloc(64 * MIB) }]);
  const liar = wordDocument(["x"], [{ name: "a.bin", content: Buffer.alloc(64 * MIB), claimedSize: 1_000 }]);
  const runs = `</w:t></w:r>${"<w:sdt><w:sdtContent>".repeat(20_000)}${"</w:sdtContent></w:sdt>".repeat(20_000)}<w:r><w:t>`;

  test.each<[string, DocumentFormat, string | Buffer, RegExp]>([
    ["an empty file", "text", "", /is empty/],
    ["nothing but white space", "markdown", " \n\n ", /no text in it/],
    ["bytes that are no text", "text", Buffer.from([0x68, 0xc3, 0x28, 0xff]), /not text in UTF-8/],
    ["text with a zero byte", "csv", "a,b\0", /bytes that no text has/],
    [
      "a PDF that was declared as text",
      "text",
      pdfDocument(["x"]),
      /declared as plain text, but it is application\/pdf/,
    ],
    ["a picture that was declared as PDF", "pdf", Buffer.from("GIF89a".padEnd(50, "\0")), /but it is image\/gif/],
    ["text that was declared as Word", "docx", "hello", /declared as Word \(docx\), but it is something else/],
    ["a broken PDF", "pdf", "%PDF-1.4\nrubbish", /PDF that cannot be read/],
    ["a PDF of pictures", "pdf", pdfDocument([""]), /no text in it\. Its pages may be pictures/],
    ["a PDF with too many pages", "pdf", pdfDocument(Array.from({ length: 21 }, () => "x")), /21 pages; at most 20/],
    ["a ZIP bomb", "docx", bomb, /unpacks to more than 20 MiB/],
    ["a ZIP bomb that lies about its size", "docx", liar, /broken archive|unpacks to more than/],
    ["broken JSON", "json", '{"a":', /not JSON/],
    ["a page without a bottom", "html", "<div>".repeat(200_000), /nested over 5000 levels deep/],
    ["a Word document without a bottom", "docx", wordDocument([runs]), /nested too deeply/],
    ["CSV with an open quote", "csv", 'a,b\n"x,1\n', /not CSV/],
    ["too much text", "text", "word ".repeat(300_000), /1499999 characters|1500000 characters/],
  ])("%s", async (_name, format, content, reason) => {
    await expect(passagesIn(format, content)).rejects.toThrow(reason);
  });
});
