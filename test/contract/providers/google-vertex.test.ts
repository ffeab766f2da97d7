import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import { expect } from "vitest";
import type { Reach } from "#lib/safe-fetch/check-url.ts";
import vertex from "#providers/google-vertex.ts";
import { serviceAccountKey } from "../../support/providers/strict/google-vertex.ts";
import { verifies } from "../../support/verifies.ts";
import { collectFailure, question } from "./collect.ts";

const QUESTION = question("gemini-3.5-flash-lite", "Hi");

interface Terms {
  readonly signal?: AbortSignal;
  readonly reach?: Reach;
}

/** Calls a model by a service account whose token endpoint answers so; returns the error. */
async function failWith(answer: RequestListener, { signal = QUESTION.signal, reach = "anywhere" }: Terms = {}) {
  const server = createServer(answer);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  const baseUrl = `http://127.0.0.1:${address.port}/v1`;
  const client = await vertex.connect({ apiKey: serviceAccountKey({ baseUrl }), baseUrl, reach });
  const { error } = await collectFailure(client, { ...QUESTION, signal });
  server.closeAllConnections();
  server.close();
  return error;
}

verifies("providers.vertex.token-faults", "Google's words about a service account are the error", async () => {
  const error = { error: "invalid_grant", error_description: "Invalid grant: account not found" };
  expect(await failWith((_, response) => void response.writeHead(400).end(JSON.stringify(error)))).toMatchObject({
    kind: "auth",
    message: "Google gave the service account no access token: Invalid grant: account not found",
  });
});

verifies(
  "providers.vertex.token-faults",
  "a token endpoint that is down is no reason to give up or to pay",
  async () => {
    for (const answer of [
      (_, response) => void response.writeHead(503).end("busy"),
      (request) => void request.destroy(),
    ] satisfies RequestListener[]) {
      expect(await failWith(answer)).toMatchObject({ kind: "unavailable", isTransient: true, isRefusal: true });
    }
  },
);

verifies("providers.vertex.token-faults", "a call is aborted while its token is awaited", async () => {
  const controller = new AbortController();
  expect(await failWith(() => controller.abort(), { signal: controller.signal })).toMatchObject({ kind: "aborted" });
});

verifies("providers.base-url.guard", "a token is not asked for in a private network for a workspace", async () => {
  let isAsked = false;
  const error = await failWith(() => void (isAsked = true), { reach: "public" });
  expect(error).toMatchObject({ message: expect.stringContaining("127.0.0.1 is rejected") });
  expect(isAsked).toBe(false);
});
