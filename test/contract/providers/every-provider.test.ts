import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { plainParts } from "#domain/models/reply-parts.ts";
import { PROVIDERS } from "#providers/gen/registry.ts";
import { startRawProvider, writeEvents } from "../../support/providers/raw-provider.ts";
import { verifies } from "../../support/verifies.ts";
import { PROBE, callsOf, collect, collectFailure, followUp, question, textOf } from "./collect.ts";
import { loadFixtures, SECRET, type ProviderFixture } from "./provider-fixture.ts";
import { connectTo, useMockProvider, useRawProvider } from "./use-provider.ts";

const FIXTURES = await loadFixtures();

test("every provider that is reached over a network has a fixture, and so passes this suite", () => {
  const remote = PROVIDERS.filter(({ settings }) => settings !== undefined);
  expect(FIXTURES.map(({ provider }) => provider.id).toSorted()).toEqual(remote.map(({ id }) => id).toSorted());
});

describe.each(FIXTURES)("$provider.label", (fixture) => {
  describeAnswers(fixture);
  describeRefusals(fixture);
  describeWire(fixture);
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
      expect(chunks.filter((chunk) => chunk.type === "finish")).toMatchObject([{ end: { reason: "stop" }, usage }]);
      expect(chunks.at(-1)?.type).toBe("finish");
    },
  );

  verifies(
    "providers.stream.tool-calls",
    "a tool call arrives whole, and the call after its result gets an answer",
    async () => {
      const ask = { role: "user", content: "What time is it?" } as const;
      const chunks = await collect(await connect(), followUp(fixture.model, [ask]));
      const calls = callsOf(chunks);
      expect(calls.map(({ name, arguments: json }) => [name, JSON.parse(json)])).toEqual([["clock", { zone: "UTC" }]]);
      const answer = await collect(
        await connect(),
        followUp(fixture.model, [
          ask,
          { role: "assistant", parts: plainParts(textOf(chunks), calls) },
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

  verifies("providers.base-url.guard", "a workspace's base URL in a private network is not called", async () => {
    await using provider = await useRawProvider((response) => void response.end());
    const baseUrl = provider.url + fixture.apiPath;
    const client = await fixture.provider.connect({ apiKey: SECRET, baseUrl, reach: "public" });
    const { error } = await collectFailure(client, question(fixture.model, "Hi"));
    expect(error).toMatchObject({ message: expect.stringContaining("127.0.0.1 is rejected") });
    expect(provider.requests).toEqual([]);
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
        writeEvents(response, [...fixture.events.hello, ...fixture.events.end], fixture.events.contentType);
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
