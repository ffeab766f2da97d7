import { afterAll, expect, test } from "vitest";
import { ENCRYPTED, chinesePdf, pdfDocument, wordDocument } from "../../../test/support/documents.ts";
import { extractPassages } from "./extract-passages.ts";
import type { DocumentFormat } from "./format.ts";

const MIB = 1024 * 1024;
const LIMITS = { pages: 20, unpackedBytes: 20 * MIB, characters: 1_000_000, memoryBytes: 400 * MIB, timeoutMs: 60_000 };
const stop = new AbortController();
afterAll(() => stop.abort());

function extract(format: DocumentFormat, content: string | Buffer, limits: Partial<typeof LIMITS> = {}) {
  return extractPassages(Buffer.from(content), { format, limits: { ...LIMITS, ...limits }, signal: stop.signal });
}

test("the process gives the passages of a document", async () => {
  const { passages } = await extract("pdf", pdfDocument(["First page", "Second page"]));
  expect(passages[0]).toEqual({ content: "First page\n\nSecond page", heading: null, page: 1 });
});

test("the process has the character maps of a Chinese PDF", async () => {
  const { passages } = await extract("pdf", chinesePdf("4E2D6587"));
  expect(passages).toMatchObject([{ content: "中文\n\nLatin" }]);
});

test.each<[string, DocumentFormat, string | Buffer, RegExp]>([
  ["an encrypted PDF", "pdf", pdfDocument(["x"], ENCRYPTED), /encrypted PDF/],
  ["half a Word document", "docx", wordDocument(["x"]).subarray(0, 700), /broken archive/],
  ["JSON without a bottom", "json", `${"[".repeat(200_000)}${"]".repeat(200_000)}`, /nested too deeply/],
])("the process says why it rejects %s", { tags: "slow" }, async (_name, format, content, reason) => {
  await expect(extract(format, content)).rejects.toThrow(reason);
});

test("a document that takes too much memory or time is rejected", { tags: "slow" }, async () => {
  const long = JSON.stringify(Array.from({ length: 400_000 }, (_, n) => ({ n, text: "word" })));
  await expect(extract("json", long, { memoryBytes: 150 * MIB })).rejects.toThrow(/more than 150 MiB of memory/);
  await expect(extract("text", "hello", { timeoutMs: 5 })).rejects.toThrow(/longer than 0.005 s/);
});

test("a signal ends the extraction, with its own reason", async () => {
  const own = new AbortController();
  const work = extractPassages(Buffer.from("hello"), { format: "text", limits: LIMITS, signal: own.signal });
  own.abort(new Error("closing"));
  await expect(work).rejects.toThrow("closing");
});
