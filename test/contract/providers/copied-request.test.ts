import { expect } from "vitest";
import { createRequestLog } from "#domain/runs/sent-request.ts";
import { verifies } from "../../support/verifies.ts";
import { curlOf, providerRequestOf } from "../../../console/src/features/run/curl/provider-request.ts";
import { PROBE } from "./collect.ts";
import { loadFixtures } from "./provider-fixture.ts";

for (const { provider, model, wire } of await loadFixtures()) {
  verifies("console.step.curl", `the copied request of ${provider.id} is the one on the wire, without the key`, () => {
    const { messages, tools, ...parameters } = PROBE;
    const sent = createRequestLog().add(0, { messages, tools, parameters: { model, ...parameters } });
    const request = { ...sent, tools: [...tools] };
    const copied = providerRequestOf(provider.id, request);
    if (copied === undefined) throw new Error("There is no request to copy.");
    expect(copied.body).toEqual(wire.body);
    expect(copied.url.endsWith(wire.path)).toBe(true);
    expect(copied.url).toContain(provider.settings?.baseUrl.name);
    expect(curlOf(copied)).toContain(`$${provider.settings?.apiKey.name}"`);
  });
}
