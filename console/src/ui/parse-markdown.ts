import { trustedScript } from "../lib/trusted-script.ts";
import type { Parsed, ParserMessage } from "./markdown-worker.ts";
import workerUrl from "./markdown-worker.ts?worker&url";

/** A text that takes longer is shown as it was written. */
const MAX_MS = 1_000;
/** A list that is scrolled draws the same texts again. In characters of all of them. */
const MAX_REMEMBERED = 2_000_000;

interface Job {
  readonly text: string;
  readonly onParsed: (parsed: Parsed) => void;
}

const remembered = new Map<string, Parsed>();
const waiting: Job[] = [];
let current: Job | undefined;
let worker: Worker | undefined;
let isReady = false;
let rememberedLength = 0;
let clock: ReturnType<typeof setTimeout> | undefined;

/** The blocks of a text that was parsed lately; undefined for any other. */
export function parsedBefore(text: string): Parsed | undefined {
  return remembered.get(text);
}

/**
 * Parses a text in a worker, after those before it: no text of a model can stop the page.
 * @param onParsed gets its blocks, or null for a text that is shown as it was written
 * @returns takes the text back, if its turn has not come
 */
export function parseMarkdown(text: string, onParsed: (parsed: Parsed) => void): () => void {
  const job = { text, onParsed };
  waiting.push(job);
  startParser();
  parseNext();
  return () => {
    const place = waiting.indexOf(job);
    if (place >= 0) waiting.splice(place, 1);
  };
}

/** Loads the parser. Pages that mostly show Markdown call it ahead. */
export function startParser(): void {
  if (worker !== undefined) return;
  worker = new Worker(trustedScript(workerUrl), { type: "module" });
  worker.addEventListener("message", ({ data }: MessageEvent<ParserMessage>) => {
    if (data !== "ready") return finish(data);
    isReady = true;
    parseNext();
  });
  // The service is away, or has another build by now: the texts stay as they were written.
  worker.addEventListener("error", () => {
    stopParser();
    for (const { onParsed } of waiting.splice(0)) onParsed(null);
  });
}

function parseNext(): void {
  if (!isReady || current !== undefined) return;
  current = waiting.shift();
  if (current === undefined) return;
  worker?.postMessage(current.text);
  clock = setTimeout(() => {
    stopParser();
    if (waiting.length > 0) startParser();
    finish(null);
  }, MAX_MS);
}

function finish(parsed: Parsed): void {
  clearTimeout(clock);
  const ended = current;
  current = undefined;
  if (ended !== undefined) {
    remember(ended.text, parsed);
    ended.onParsed(parsed);
  }
  parseNext();
}

function stopParser(): void {
  worker?.terminate();
  worker = undefined;
  isReady = false;
}

function remember(text: string, parsed: Parsed): void {
  if (!remembered.has(text)) rememberedLength += text.length;
  remembered.set(text, parsed);
  for (const oldest of remembered.keys()) {
    if (rememberedLength <= MAX_REMEMBERED) return;
    remembered.delete(oldest);
    rememberedLength -= oldest.length;
  }
}
