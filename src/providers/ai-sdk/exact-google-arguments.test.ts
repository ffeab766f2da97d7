import { expect, test } from "vitest";
import { withExactArguments } from "./exact-google-arguments.ts";

const SSE = { "content-type": "text/event-stream" };

interface Pieces {
  readonly size?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the package receives of a response with this body, sent in pieces of this many bytes. */
async function received(body: string, { size = body.length * 2, headers = SSE }: Pieces = {}): Promise<string> {
  const bytes = new TextEncoder().encode(body);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.slice(index * size, (index + 1) * size),
  );
  const answer = () => Promise.resolve(new Response(ReadableStream.from(pieces), { headers }));
  return (await withExactArguments(answer)("https://example.org")).text();
}

function event(args: string): string {
  return `data: {"candidates":[{"content":{"parts":[{"text":"Zoë 1198765432109876543"},{"functionCall":{"name":"find","args":${args}}}]}}]}\n\n`;
}

test("arguments with a long integer arrive as text, whatever the pieces are", async () => {
  const args = '{"id":1198765432109876543,"name":"Zoë"}';
  const expected = event(JSON.stringify(args));
  for (const size of [1, 7, 64, 10_000]) expect(await received(event(args), { size })).toBe(expected);
  expect(await received(event(args).trimEnd())).toBe(expected.trimEnd());
});

test("what has no long integer in a call, is no event or no JSON is unchanged", async () => {
  const short = event('{"id":7}').replaceAll("1198765432109876543", "1");
  const broken = 'data: {"functionCall": 1198765432109876543\n\n';
  for (const body of [short, broken, 'data: {"text":"1198765432109876543"}\n\n', ": ping\n\n"]) {
    expect(await received(body, { size: 5 })).toBe(body);
  }
  expect(await received(event('{"id":1198765432109876543}'), { headers: {} })).toBe(
    event('{"id":1198765432109876543}'),
  );
});
