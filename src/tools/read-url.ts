import { z } from "zod";
import { runInWorker } from "#lib/async/run-in-worker.ts";
import { fetchWhole } from "#lib/safe-fetch/fetch-whole.ts";
import { startTimeLimit } from "#lib/async/time-limit.ts";
import { decodeText, mediaTypeOf } from "#lib/http/body-text.ts";
import { cutText } from "#lib/http/cut-text.ts";
import { defineTool } from "./define-tool.ts";
import { readableText } from "./web/page.ts";

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 5 * 1024 * 1024;
/** The limits of parsing a page; hostile ones would take forever. */
const PARSE_MS = 15_000;
const PARSE_MEMORY_MB = 256;
const PROGRAM = new URL("./web/readable-text.ts", import.meta.url);

/** Lets an agent read a web page. */
export default defineTool({
  name: "read_url",
  description:
    "Reads a page of the web and returns its text without menus and advertising, links included. " +
    "Plain text and JSON are returned as they are. Long texts come in parts.",
  input: z.strictObject({
    url: z.string().min(1).max(8_000).describe("An http or https URL."),
    start: z.int().min(0).default(0).describe("Where to read on: the number of characters to leave out."),
  }),
  async execute({ url, start }, { fetch, signal }) {
    const response = await fetchWhole(fetch, url, {
      headers: { Accept: "text/html, text/plain, application/json;q=0.9, text/*;q=0.8, */*;q=0.1" },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      signal,
    });
    if (!response.ok) throw new Error(`The server answered with HTTP ${response.status}.`);
    const type = mediaTypeOf(response);
    if (type === "text/html" || type === "application/xhtml+xml") {
      return cutText(await readPage({ html: decodeText(response), url: response.url }, signal), start);
    }
    if (type.startsWith("text/") || /^application\/(.+\+)?json$/.test(type))
      return cutText(decodeText(response), start);
    throw new Error(`This is ${type}, which cannot be read as a page; only HTML, plain text and JSON can.`);
  },
});

async function readPage(input: { readonly html: string; readonly url: string }, outer: AbortSignal): Promise<string> {
  const limit = startTimeLimit(PARSE_MS, outer);
  try {
    const { title, byline, published, text } = await runInWorker(PROGRAM, {
      input,
      output: readableText,
      signal: limit.signal,
      memoryMb: PARSE_MEMORY_MB,
    });
    const facts = [title && `# ${title}`, `Source: ${input.url}`, byline && `By: ${byline}`, published];
    return `${facts.filter((fact) => fact !== "").join("\n")}\n\n${text}`;
  } catch (error) {
    outer.throwIfAborted();
    if (limit.isOver()) throw new Error("The page is too complex to be read.", { cause: error });
    throw error;
  } finally {
    limit.clear();
  }
}
