import type { ServerResponse } from "node:http";
import { inspect } from "node:util";
import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PROVIDERS } from "#providers/registry.ts";
import { startRawProvider, writeEvents, type RawProvider } from "../../support/providers/raw-provider.ts";
import { verifies } from "../../support/verifies.ts";
import { PROBE, collect, collectFailure, followUp, question, textOf } from "./collect.ts";
import { loadFixtures, SECRET, type ProviderFixture } from "./provider-fixture.ts";

type Answer = Parameters<typeof startRawProvider>[0];

const FIXTURES = await loadFixtures();

test("every provider that is reached over a network has a fixture, and so passes this suite", () => {
  const remote = PROVIDERS.filter(({ settings }) => settings !== undefined);
  expect(FIXTURES.map(({ provider }) => provider.id).toSorted()).toEqual(remote.map(({ id }) => id).toSorted());
});

describe.each(FIXTURES)("$provider.label", (fixture) => {
  describeAnswers(fixture);
  describeRefusals(fixture);
  describeWire(fixture);
  describeBrokenAnswers(fixture);
  describeAbort(fixture);
  describeFloods(fixture);
});

function describeAnswers(fixture: ProviderFixture): void {
  const { connect } = useMockProvider(fixture, (mock) => {
    mock.on({ hasToolResult: true }, { content: "It is noon.", usage: fixture.usage });
    mock.on(
      { userMessage: "What time" },
      {
        toolCalls: [{ id: "call_1", name: "clock", arguments: { zone: "UTC" } }],
        finishReason: "stop", // what Gemini really sends; the mock's own mark for it is made up
        usage: fixture.usage,
      },
    );
    mock.on({}, { content: "Hello from a fake provider.", usage: fixture.usage });
  });
  const usage = { promptTokens: 11, completionTokens: 7 };

  verifies(
    ["providers.stream.deltas", "providers.stream.usage"],
    "an answer arrives in several pieces and finishes once, with its usage",
    async () => {
      const chunks = await collect(await connect(), question(fixture.model, "Hi"));
      expect(textOf(chunks)).toBe("Hello from a fake provider.");
      expect(chunks.filter((chunk) => chunk.type === "text").length).toBeGreaterThan(3);
      expect(chunks.filter((chunk) => chunk.type === "finish")).toEqual([{ type: "finish", usage }]);
      expect(chunks.at(-1)?.type).toBe("finish");
    },
  );

  verifies(
    "providers.stream.tool-calls",
    "a tool call arrives whole, and the call after its result gets an answer",
    async () => {
      const ask = { role: "user", content: "What time is it?" } as const;
      const chunks = await collect(await connect(), followUp(fixture.model, [ask]));
      const calls = chunks.flatMap((chunk) => (chunk.type === "tool-call" ? [chunk.call] : []));
      expect(calls.map(({ name, arguments: json }) => [name, JSON.parse(json)])).toEqual([["clock", { zone: "UTC" }]]);
      const answer = await collect(
        await connect(),
        followUp(fixture.model, [
          ask,
          { role: "assistant", content: textOf(chunks), toolCalls: calls },
          ...calls.map((call) => ({
            role: "tool" as const,
            toolCallId: call.id,
            toolName: call.name,
            output: "12:00",
            isError: false,
          })),
        ]),
      );
      expect(textOf(answer)).toBe("It is noon.");
    },
  );
}

function describeRefusals(fixture: ProviderFixture): void {
  const message = `Rejected for ${SECRET} and sk-proj-abcdefgh`;
  const { connect } = useMockProvider(fixture, (mock) => {
    for (const status of [400, 401, 403, 404, 429, 500, 503]) {
      const retryAfter = status === 429 ? { retryAfter: 7 } : {};
      mock.on({ userMessage: `status ${status}` }, { error: { message }, status, ...retryAfter });
    }
  });

  test.each([
    [400, "request", false],
    [401, "auth", false],
    [403, "auth", false],
    [404, "model", false],
    [429, "rate_limit", true],
    [500, "unavailable", true],
    [503, "unavailable", true],
  ])("status %i is an error of kind %s", async (status, kind, isTransient) => {
    const { error } = await collectFailure(await connect(), question(fixture.model, `status ${status}`));
    expect(error).toMatchObject({ name: "ModelError", kind, status, isTransient });
  });

  test("a 429 says how long to wait", async () => {
    const { error } = await collectFailure(await connect(), question(fixture.model, "status 429"));
    expect(error).toMatchObject({ retryAfterMs: 7_000 });
  });

  test("an error carries the provider's own message, without secrets", async () => {
    const { error } = await collectFailure(await connect(), question(fixture.model, "status 401"));
    expect(error).toMatchObject({ message: "Rejected for [redacted] and [redacted]" });
    expect(inspect(error, { depth: 10 })).not.toContain(SECRET);
  });

  test("a provider that cannot be reached is unavailable", async () => {
    const provider = await startRawProvider(() => undefined);
    await provider.close();
    const { error } = await collectFailure(await connectTo(fixture, provider), question(fixture.model, "Hi"));
    expect(error).toMatchObject({ kind: "unavailable", status: undefined });
  });
}

function describeWire(fixture: ProviderFixture): void {
  verifies(
    [
      "providers.request.system-prompt",
      "providers.request.temperature",
      "providers.request.max-tokens",
      "providers.request.tools",
    ],
    "model, prompt, tools, temperature and max tokens are on the wire",
    async () => {
      await using provider = await useRawProvider((response) => {
        writeEvents(response, [...fixture.events.hello, ...fixture.events.end]);
        response.end();
      });
      const request = { ...question(fixture.model, ""), ...PROBE };
      const chunks = await collect(await connectTo(fixture, provider), request);
      expect(textOf(chunks)).toBe("Hello");
      const [name, value] = fixture.keyHeader;
      expect(provider.requests).toHaveLength(1);
      expect(provider.requests[0]).toMatchObject({
        path: fixture.apiPath + fixture.wire.path,
        headers: { [name]: value(SECRET) },
        body: fixture.wire.body,
      });
    },
  );
}

function describeBrokenAnswers(fixture: ProviderFixture): void {
  const { hello, end, overload } = fixture.events;
  const failWith = async (answer: Answer) => {
    await using provider = await useRawProvider(answer);
    return await collectFailure(await connectTo(fixture, provider), question(fixture.model, "Hi"));
  };

  verifies("providers.fault.cut-stream", "an answer that ends without its end mark is cut", async () => {
    const { chunks, error } = await failWith((response) => {
      writeEvents(response, hello);
      response.end();
    });
    expect(textOf(chunks)).toBe("Hello");
    expect(error).toMatchObject({ name: "ModelError", kind: "cut", isTransient: true });
  });

  verifies("providers.fault.cut-stream", "an answer whose connection breaks after its head is cut", async () => {
    const { error } = await failWith((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": keep-alive\n\n", () => response.destroy());
    });
    expect(error).toMatchObject({ name: "ModelError", kind: "cut" });
  });

  verifies("providers.fault.cut-stream", "an answer whose connection breaks in the middle is cut", async () => {
    await using provider = await useRawProvider((response) => writeEvents(response, hello));
    const client = await connectTo(fixture, provider);
    const iterator = client.stream(question(fixture.model, "Hi"))[Symbol.asyncIterator]();
    expect(await iterator.next()).toMatchObject({ value: { type: "text", delta: "Hello" } });
    const next = iterator.next();
    provider.cutConnections();
    await expect(next).rejects.toMatchObject({ name: "ModelError", kind: "cut" });
  });

  verifies("providers.fault.cut-stream", "an empty answer is cut", async () => {
    const { error } = await failWith((response) => {
      writeEvents(response, []);
      response.end();
    });
    expect(error).toMatchObject({ name: "ModelError", kind: "cut" });
  });

  test("an answer with an event that is no JSON is cut", async () => {
    const { error } = await failWith((response) => {
      writeEvents(response, [...hello, "data: {oops", ...end]);
      response.end();
    });
    expect(error).toMatchObject({ name: "ModelError", kind: "cut" });
  });

  test.each([
    ["before", []],
    ["after", hello],
  ])("an overload that is reported inside the stream, %s the first text, is transient", async (_, before) => {
    const { error } = await failWith((response) => {
      writeEvents(response, [...before, overload]);
      response.end();
    });
    expect(error).toMatchObject({
      name: "ModelError",
      kind: "unavailable",
      message: "Overloaded",
      isTransient: true,
    });
  });
}

function describeAbort(fixture: ProviderFixture): void {
  test("the signal ends a running answer and closes the connection", async () => {
    await using provider = await useRawProvider((response) => writeEvents(response, fixture.events.hello));
    const controller = new AbortController();
    const { error } = await collectFailure(
      {
        async *stream(request) {
          for await (const chunk of (await connectTo(fixture, provider)).stream(request)) {
            yield chunk;
            controller.abort();
          }
        },
      },
      { ...question(fixture.model, "Hi"), signal: controller.signal },
    );
    expect(error).toMatchObject({ name: "ModelError", kind: "aborted", isTransient: false });
    await provider.hungUp;
  });

  test("the signal ends a call that the provider has not answered", async () => {
    const controller = new AbortController();
    await using provider = await useRawProvider(() => controller.abort());
    const { error } = await collectFailure(await connectTo(fixture, provider), {
      ...question(fixture.model, "Hi"),
      signal: controller.signal,
    });
    expect(error).toMatchObject({ name: "ModelError", kind: "aborted" });
    await provider.hungUp;
  });

  test("stopping to read a reply closes the connection", async () => {
    await using provider = await useRawProvider((response) => writeEvents(response, fixture.events.hello));
    for await (const chunk of (await connectTo(fixture, provider)).stream(question(fixture.model, "Hi"))) {
      expect(chunk).toEqual({ type: "text", delta: "Hello" });
      break;
    }
    await provider.hungUp;
  });
}

function describeFloods(fixture: ProviderFixture): void {
  const limits = { bytes: 1_000_000, lineBytes: 100_000 };
  const { hello } = fixture.events;
  const floods = [
    { what: "a line without an end", first: hello, rest: "x".repeat(10_000), says: "a line of more than 97.7 KiB" },
    { what: "text without an end", first: hello, rest: `${hello.at(-1)}\n\n`, says: "more than 976.6 KiB" },
    {
      what: "comments without an end",
      first: [],
      rest: ": comment\n\n".repeat(1_000),
      says: "more than 976.6 KiB",
    },
  ];
  const connections = [
    { where: "at the instance's address", reach: {} },
    { where: "at a workspace's own address", reach: { reach: "private" } },
  ] as const;

  for (const { what, first, rest, says } of floods) {
    for (const { where, reach } of connections) {
      verifies(
        "providers.fault.flood",
        `${what} ${where} ends the call for good and closes the connection`,
        async () => {
          await using provider = await useRawProvider((response) => {
            writeEvents(response, first);
            flood(response, rest);
          });
          const baseUrl = provider.url + fixture.apiPath;
          const client = await fixture.provider.connect({ apiKey: SECRET, baseUrl, limits, ...reach });
          const { error } = await collectFailure(client, question(fixture.model, "Hi"));
          expect(error).toMatchObject({ name: "ModelError", kind: "too_large", isTransient: false });
          expect(String(error)).toContain(says);
          await provider.hungUp;
        },
      );
    }
  }

  verifies("providers.fault.flood", "an endless error response is also bounded", async () => {
    await using provider = await useRawProvider((response) => {
      response.writeHead(500, { "content-type": "application/json" });
      flood(response, "x".repeat(10_000));
    });
    const client = await fixture.provider.connect({ apiKey: SECRET, baseUrl: provider.url + fixture.apiPath, limits });
    const { error } = await collectFailure(client, question(fixture.model, "Hi"));
    expect(error).toMatchObject({ name: "ModelError", kind: "too_large" });
    await provider.hungUp;
  });
}

/** Writes the same text repeatedly, as fast as the reader accepts it. */
function flood(response: ServerResponse, text: string): void {
  while (!response.destroyed && response.write(text));
  response.once("drain", () => flood(response, text));
}

/** A mock provider that lives as long as the suite around it. */
function useMockProvider(fixture: ProviderFixture, script: (mock: LLMock) => void) {
  const mock = new LLMock({ port: 0, chunkSize: 4 });
  beforeAll(async () => {
    script(mock);
    await mock.start();
  });
  afterAll(() => mock.stop());
  return { connect: () => connectTo(fixture, mock) };
}

async function useRawProvider(answer: Answer): Promise<RawProvider & AsyncDisposable> {
  const provider = await startRawProvider(answer);
  return { ...provider, [Symbol.asyncDispose]: () => provider.close() };
}

function connectTo({ provider, apiPath }: ProviderFixture, server: { readonly url: string }) {
  return provider.connect({ apiKey: SECRET, baseUrl: server.url + apiPath });
}
