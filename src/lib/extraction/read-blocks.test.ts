import { describe, expect, test } from "vitest";
import { chinesePdf, pdfDocument, pdfForm, wordDocument, wordTable } from "../../../test/support/documents.ts";
import { chunkBlocks } from "./chunk-blocks.ts";
import type { DocumentFormat } from "./format.ts";
import { readBlocks } from "./read-blocks.ts";

const MIB = 1024 * 1024;
const LIMITS = { pages: 20, unpackedBytes: 20 * MIB, characters: 1_000_000, memoryBytes: 400 * MIB, timeoutMs: 60_000 };

/** What the extraction process does with a document; extract-passages.test.ts starts it. */
async function passagesIn(format: DocumentFormat, content: string | Buffer) {
  return chunkBlocks((await read(format, content)).blocks);
}

function read(format: DocumentFormat, content: string | Buffer) {
  return readBlocks(new Uint8Array(Buffer.from(content)), { format, limits: LIMITS });
}

const warningsOf = async (format: DocumentFormat, content: string | Buffer) => (await read(format, content)).warnings;

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
    expect(text).toContain("Child | 2");
    expect(text).not.toContain("bad()");
  });

  test("CSV names the column of each value", async () => {
    expect(await texts("csv", "name;price\nTea;3\nCake;4\n")).toBe("name: Tea; price: 3\n\nname: Cake; price: 4");
  });

  const tables: readonly (readonly [string, string, string])[] = [
    ["a decimal comma", "Artikel;Preis;Lager\nApfel;1,50;20", "Artikel: Apfel; Preis: 1,50; Lager: 20"],
    ["a semicolon in a cell", "name,note\nA,x;y\nB,z", "name: A; note: x;y\n\nname: B; note: z"],
    ["a comma in a file with tabs", "name\tage\nDoe, Jane\t5", "name: Doe, Jane; age: 5"],
    ["an empty cell between tabs", "a\tb\tc\n1\t\t3", "a: 1; b: ; c: 3"],
    ["a quote in a cell", 'item,price\n5" pipe,3\n6" pipe,4', 'item: 5" pipe; price: 3\n\nitem: 6" pipe; price: 4'],
    ["separators and line breaks in quotes", 'k;v\n"x;\ny";"1;2"', "k: x;\ny; v: 1;2"],
    ["one column", "name\nDoe, Jane\nRoe", "name: Doe, Jane\n\nname: Roe"],
    ["bars", "a|b\n1|2,5", "a: 1; b: 2,5"],
  ];
  test.each(tables)("CSV with %s has one separator", async (_name, content, text) => {
    expect(await texts("csv", content)).toBe(text);
    expect(await warningsOf("csv", content)).toEqual([]);
  });

  test("a table of Word or HTML keeps its rows and its empty cells", async () => {
    const rows = [
      ["Product", "Price", "Stock"],
      ["Tea", "", "20"],
      ["", "3", ""],
    ];
    const text = "Product | Price | Stock\n\nTea | | 20\n\n| 3 |";
    expect(await texts("docx", wordTable(rows))).toBe(text);
    const cells = (row: readonly string[]) => row.map((cell) => `<td><p>${cell}</p></td>`).join("");
    const page = `<table>${rows.map((row) => `<tr>${cells(row)}</tr>`).join("")}</table>`;
    expect(await texts("html", page)).toBe(text);
    const layout = "<table><tr><td>Menu</td><td><h1>News</h1><p>Rain.</p></td></tr></table>";
    expect(await passagesIn("html", layout)).toContainEqual({ heading: "News", content: "Rain.", page: null });
  });

  test("HTML is read in the charset that it declares", async () => {
    const page = (charset: string) =>
      `<html><head><meta charset="${charset}"></head><body><p>Caf\u00e9</p></body></html>`;
    expect(await texts("html", Buffer.from(page("windows-1252"), "latin1"))).toBe("Caf\u00e9");
    expect(await texts("html", page("utf-8"))).toBe("Caf\u00e9");
    await expect(texts("html", Buffer.from("<p>Caf\u00e9</p>", "latin1"))).rejects.toThrow(/not text in UTF-8/);
  });

  test("a PDF in a Chinese font with a predefined encoding, beside Latin text", async () => {
    expect(await texts("pdf", chinesePdf("4E2D6587"))).toBe("\u4e2d\u6587\n\nLatin");
    expect(await warningsOf("pdf", chinesePdf("4E2D6587"))).toEqual([]);
  });

  test("the values of a PDF form, with their labels", async () => {
    const form = pdfForm([
      "/Subtype /Widget /FT /Tx /T (name) /TU (Your name) /V (Ada)",
      "/Subtype /Widget /FT /Tx /T (empty)",
      "/Subtype /Widget /FT /Ch /Ff 131072 /T (city) /Opt [(Rome) (Oslo)] /V (Oslo)",
      "/Subtype /Widget /FT /Btn /T (news) /V /On /AS /On /AP << /N << /On 2 0 R /Off 2 0 R >> >>",
      "/Subtype /FreeText /Contents (Approved) /DA (/F1 12 Tf)",
    ]);
    expect(await texts("pdf", form)).toBe("Form\n\nApproved\n\nYour name: Ada\n\ncity: Oslo\n\nnews: yes");
  });

  test("JSON names the path to each value", async () => {
    expect(await texts("json", '[{"a":{"b":1},"tags":["x","y"]},{"c":null}]')).toBe("a.b: 1\ntags: x, y\n\nc: null");
  });

  test("JSON keeps the digits of long numbers", async () => {
    expect(await texts("json", '{"id":9007199254740993,"all":[9007199254740993,1]}')).toBe(
      "id: 9007199254740993\nall: 9007199254740993, 1",
    );
  });

  test("Word gives its paragraphs", async () => {
    expect(await texts("docx", wordDocument(["One.", "Two."]))).toBe("One.\n\nTwo.");
  });
});

describe("what cannot be read in full is a warning with its place", () => {
  const latin = Buffer.from('<meta charset="utf-8"><p>Caf\u00e9</p>', "latin1");

  test.each<[string, DocumentFormat, string | Buffer, RegExp]>([
    ["a quote that nothing closes", "csv", 'a,b\n"x,1\n', /quotes are read as text.* at line 2/],
    ["more cells than the header", "csv", "a,b\n1,2\n1,2,3\n", /More cells than the header has \(2\).* in row 3\./],
    ["a page without text", "pdf", pdfDocument(["x", "", "y", ""]), /^Page 2, 4: no text/],
    ["bytes that are not of the declared charset", "html", latin, /no text in utf-8, which it declares/],
  ])("%s", async (_name, format, content, warning) => {
    expect(await warningsOf(format, content)).toEqual([expect.stringMatching(warning)]);
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
    ["a broken PDF", "pdf", "%PDF-1.4\nrubbish", /This PDF cannot be read/],
    ["a PDF of pictures", "pdf", pdfDocument([""]), /no text in it\. Its pages may be pictures/],
    ["a PDF with too many pages", "pdf", pdfDocument(Array.from({ length: 21 }, () => "x")), /21 pages; at most 20/],
    ["a ZIP bomb", "docx", bomb, /unpacks to more than 20 MiB/],
    ["a ZIP bomb that lies about its size", "docx", liar, /broken archive|unpacks to more than/],
    ["broken JSON", "json", '{"a":', /not JSON/],
    ["a page without a bottom", "html", "<div>".repeat(200_000), /nested over 5000 levels deep/],
    ["a Word document without a bottom", "docx", wordDocument([runs]), /nested too deeply/],
    ["too much text", "text", "word ".repeat(300_000), /1499999 characters|1500000 characters/],
  ])("%s", async (_name, format, content, reason) => {
    await expect(passagesIn(format, content)).rejects.toThrow(reason);
  });
});
