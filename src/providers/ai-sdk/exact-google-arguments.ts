import { isRecord } from "#lib/is-record.ts";
import { parseExactly } from "#lib/text/exact-json.ts";

const CALL = '"functionCall"';
/** The shortest integer that a number may not hold. */
const LONG_INTEGER = /\d{16}/;
const DATA = /^data:\s*(?=\{)/;

/**
 * Wraps the `fetch` of Google's package, which parses the arguments of tool calls with the rest of the stream, and so
 * would round integers beyond 2^53. Arguments with such integers reach it as JSON text, which it passes on as it is.
 */
export function withExactArguments(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    const { body, status, statusText, headers } = response;
    if (body === null || headers.get("content-type")?.includes("text/event-stream") !== true) return response;
    return new Response(body.pipeThrough(exactLines()), { status, statusText, headers });
  };
}

function exactLines(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = "";
  return new TransformStream({
    transform(chunk, controller) {
      const text = rest + decoder.decode(chunk, { stream: true });
      const end = text.lastIndexOf("\n") + 1;
      rest = text.slice(end);
      if (end > 0) controller.enqueue(encoder.encode(exact(text.slice(0, end))));
    },
    flush(controller) {
      controller.enqueue(encoder.encode(exact(rest + decoder.decode())));
    },
  });
}

function exact(lines: string): string {
  return mayBeInexact(lines) ? lines.split("\n").map(exactLine).join("\n") : lines;
}

function mayBeInexact(text: string): boolean {
  return text.includes(CALL) && LONG_INTEGER.test(text);
}

function exactLine(line: string): string {
  const [head] = DATA.exec(line) ?? [];
  if (head === undefined || !mayBeInexact(line)) return line;
  try {
    const event = parseExactly(line.slice(head.length));
    for (const call of callsIn(event)) if (isRecord(call["args"])) call["args"] = JSON.stringify(call["args"]);
    return head + JSON.stringify(event);
  } catch (error) {
    // The package says what is wrong with it.
    if (error instanceof SyntaxError) return line;
    throw error;
  }
}

/** The function calls in `candidates[].content.parts[]`. */
function callsIn(event: unknown): readonly Record<string, unknown>[] {
  const candidates = listIn(event, "candidates");
  const parts = candidates.flatMap((candidate) => listIn(isRecord(candidate) && candidate["content"], "parts"));
  return parts.flatMap((part) => (isRecord(part) && isRecord(part["functionCall"]) ? [part["functionCall"]] : []));
}

function listIn(value: unknown, field: string): readonly unknown[] {
  const list = isRecord(value) ? value[field] : undefined;
  return Array.isArray(list) ? list : [];
}
