import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { wireOf, writeEvents } from "../../support/providers/raw-provider.ts";
import { verifies } from "../../support/verifies.ts";
import { collectFailure, question, textOf } from "./collect.ts";
import { loadFixtures, SECRET, type ProviderFixture } from "./provider-fixture.ts";
import { connectTo, useRawProvider, type RawAnswer } from "./use-provider.ts";

describe.each(await loadFixtures())("$provider.label", (fixture) => {
  describeBrokenAnswers(fixture);
  describeAbort(fixture);
  describeFloods(fixture);
});

function describeBrokenAnswers(fixture: ProviderFixture): void {
  const { hello, end, overload, broken = "data: {oops", contentType } = fixture.events;
  const failWith = async (answer: RawAnswer) => {
    await using provider = await useRawProvider(answer);
    return await collectFailure(await connectTo(fixture, provider), question(fixture.model, "Hi"));
  };

  verifies("providers.fault.cut-stream", "an answer that ends without its end mark is cut", async () => {
    const { chunks, error } = await failWith((response) => {
      writeEvents(response, hello, contentType);
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
    await using provider = await useRawProvider((response) => writeEvents(response, hello, contentType));
    const client = await connectTo(fixture, provider);
    const iterator = client.stream(question(fixture.model, "Hi"))[Symbol.asyncIterator]();
    expect(await iterator.next()).toMatchObject({ value: { type: "text", delta: "Hello" } });
    const next = iterator.next();
    provider.cutConnections();
    await expect(next).rejects.toMatchObject({ name: "ModelError", kind: "cut" });
  });

  verifies("providers.fault.cut-stream", "an empty answer is cut", async () => {
    const { error } = await failWith((response) => {
      writeEvents(response, [], contentType);
      response.end();
    });
    expect(error).toMatchObject({ name: "ModelError", kind: "cut" });
  });

  test("an answer with an event that is no JSON is cut", async () => {
    const { error } = await failWith((response) => {
      writeEvents(response, [...hello, broken, ...end], contentType);
      response.end();
    });
    expect(error).toMatchObject({ name: "ModelError", kind: "cut" });
  });

  test.each([
    ["before", []],
    ["after", hello],
  ])("an overload that is reported inside the stream, %s the first text, is transient", async (_, before) => {
    const { error } = await failWith((response) => {
      writeEvents(response, [...before, overload], contentType);
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
    await using provider = await useRawProvider((response) =>
      writeEvents(response, fixture.events.hello, fixture.events.contentType),
    );
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
    await using provider = await useRawProvider((response) =>
      writeEvents(response, fixture.events.hello, fixture.events.contentType),
    );
    for await (const chunk of (await connectTo(fixture, provider)).stream(question(fixture.model, "Hi"))) {
      expect(chunk).toEqual({ type: "text", delta: "Hello" });
      break;
    }
    await provider.hungUp;
  });
}

function describeFloods(fixture: ProviderFixture): void {
  const limits = { bytes: 1_000_000, lineBytes: 100_000 };
  const { hello, contentType } = fixture.events;
  const part = /a (?:line|frame) of more than 97\.7 KiB/;
  const all = /more than 976\.6 KiB/;
  const floods = [
    { what: "a line without an end", first: hello, rest: "x".repeat(10_000), says: part },
    { what: "text without an end", first: hello, rest: wireOf(hello.at(-1) ?? ""), says: all },
    {
      what: "comments without an end",
      first: [],
      rest: ": comment\n\n".repeat(1_000),
      says: contentType === undefined ? all : part,
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
            writeEvents(response, first, contentType);
            flood(response, rest);
          });
          const baseUrl = provider.url + fixture.apiPath;
          const client = await fixture.provider.connect({ apiKey: SECRET, baseUrl, limits, ...reach });
          const { error } = await collectFailure(client, question(fixture.model, "Hi"));
          expect(error).toMatchObject({ name: "ModelError", kind: "too_large", isTransient: false });
          expect(String(error)).toMatch(says);
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
function flood(response: ServerResponse, text: string | Uint8Array): void {
  while (!response.destroyed && response.write(text));
  response.once("drain", () => flood(response, text));
}
