/** The program of a worker: takes a page as `workerData` and posts its readable text. */
import { parentPort, workerData } from "node:worker_threads";
import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { isMarkupDeeperThan, nestsDeeperThan, PARSABLE_LEVELS, READABLE_LEVELS } from "#lib/text/nesting.ts";
import { page } from "./page.ts";
import type { ReadableText } from "./page.ts";
import { renderText } from "./render-text.ts";

const TOO_COMPLEX = "The page is too complex to be read.";

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is a thread's port, not a window
parentPort?.postMessage(readableText(page.parse(workerData)));

function readableText({ html, url }: { readonly html: string; readonly url: string }): ReadableText {
  if (isMarkupDeeperThan(PARSABLE_LEVELS, html)) throw new Error(TOO_COMPLEX);
  // The parser treats the first element as the root, whatever it is.
  const { document } = parseHTML(/<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`);
  if (nestsDeeperThan(READABLE_LEVELS, document.body)) throw new Error(TOO_COMPLEX);
  const render = (node: Parameters<typeof renderText>[0]) => renderText(node, url);
  const title = document.title;
  // Readability modifies the document; if it finds no article, as in a list of links, the whole page is read.
  const whole = render(document.body);
  const article = new Readability(document, { serializer: render }).parse();
  return {
    title: article?.title || title,
    byline: article?.byline ?? "",
    published: article?.publishedTime ?? "",
    text: article?.content || whole,
  };
}
