import { LLMock } from "@copilotkit/aimock";
import { afterAll, beforeAll } from "vitest";
import { startRawProvider, type RawProvider } from "../../support/providers/raw-provider.ts";
import { SECRET, type ProviderFixture } from "./provider-fixture.ts";

/** What a raw provider responds. */
export type RawAnswer = Parameters<typeof startRawProvider>[0];

/** A mock provider that lives as long as the suite around it. */
export function useMockProvider(fixture: ProviderFixture, script: (mock: LLMock) => void) {
  const mock = new LLMock({ port: 0, chunkSize: 4 });
  beforeAll(async () => {
    script(mock);
    await mock.start();
  });
  afterAll(() => mock.stop());
  return { connect: () => connectTo(fixture, mock) };
}

/** A raw provider that is closed at the end of the block. */
export async function useRawProvider(answer: RawAnswer): Promise<RawProvider & AsyncDisposable> {
  const provider = await startRawProvider(answer);
  return { ...provider, [Symbol.asyncDispose]: () => provider.close() };
}

/** Connects the provider of a fixture to a server. */
export function connectTo({ provider, apiPath }: ProviderFixture, server: { readonly url: string }) {
  return provider.connect({ apiKey: SECRET, baseUrl: server.url + apiPath });
}
