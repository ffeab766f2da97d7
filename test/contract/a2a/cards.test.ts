import { createPublicKey, verify as verifySignature } from "node:crypto";
import { AgentCard, canonicalizeAgentCard, verifyAgentCardSignature } from "@a2a-js/sdk";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { hybridCard, strictCard } from "../../support/a2a/shapes.ts";
import { rpc } from "../../support/a2a/a2a.ts";
import { apiOf, send } from "../../support/api.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { addWorkspace } from "../../support/workspace.ts";

const V1 = { "a2a-version": "1.0" };

let service: TestService;
let published: string;
let hidden: string;
let foreign: string;

beforeAll(async () => {
  service = await startService();
  const api = apiOf(service, service.keys.api);
  const fields = { name: "Gardener", description: "Knows plants.", tags: ["plants"], tools: ["wait"] };
  published = (await createAgent(api, { ...fields, is_a2a_published: true })).id;
  hidden = (await createAgent(api, { name: "Hidden" })).id;
  const other = await addWorkspace(service.databaseUrl);
  foreign = (await createAgent(apiOf(service, other.key), { name: "Foreign", is_a2a_published: true })).id;
});
afterAll(() => service.stop());

const card = (path: string, headers = {}) => send("GET", service.url + path, { headers });

verifies(
  ["a2a.card.well-known", "a2a.card.agent-card-path", "a2a.card.fields", "a2a.card.no-key", "a2a.card.by-query"],
  "the instance's card lists every published agent as a skill, at both paths and without a key",
  async () => {
    for (const path of ["/.well-known/agent.json", "/.well-known/agent-card.json", "/a2a"]) {
      const answer = await card(path);
      expect(answer.status).toBe(200);
      const { skills, url } = hybridCard.parse(answer.body);
      expect(skills.map(({ id }) => id)).toEqual([published, foreign]);
      expect(skills[0]).toEqual({ id: published, name: "Gardener", description: "Knows plants.", tags: ["plants"] });
      expect(url).toBe(`${service.url}/a2a`);
    }
    const one = hybridCard.parse((await card(`/.well-known/agent.json?agent_id=${published}`)).body);
    expect(one.skills.map(({ id }) => id)).toEqual([published]);
  },
);

verifies(
  ["a2a.card.per-agent", "a2a.card.hybrid", "a2a.card.strict-1-0"],
  "an agent's card has the fields of 0.3 and the interfaces of 1.0, or on request only those of 1.0",
  async () => {
    const paths = ["/.well-known/agent.json", "/.well-known/agent-card.json", ""];
    for (const path of paths.map((end) => `/a2a/${published}${end}`)) {
      const hybrid = hybridCard.parse((await card(path)).body);
      expect(hybrid).toMatchObject({ name: "Gardener", version: "1.0.0", url: `${service.url}/a2a/${published}` });
      expect(hybrid.supportedInterfaces.map((one) => [one.protocolBinding, one.protocolVersion])).toEqual([
        ["JSONRPC", "1.0"],
        ["HTTP+JSON", "1.0"],
        ["JSONRPC", "0.3"],
      ]);
      expect((await card(path, { "a2a-version": "0.3" })).body).toEqual({
        ...hybrid,
        signatures: hybrid.signatures.map(({ protected: header }) => ({
          protected: header,
          signature: expect.any(String),
        })),
      });
      const strict = strictCard.parse((await card(path, V1)).body);
      expect(strict.supportedInterfaces[0]?.url).toBe(`${service.url}/a2a/${published}`);
      expect((await card(path, { "a2a-version": "9.9" })).status).toBe(400);
    }
  },
);

verifies("a2a.card.unpublished-hidden", "an agent that is not published has no public card", async () => {
  for (const id of [hidden, "00000000-0000-4000-8000-000000000000", "x"]) {
    expect(await card(`/a2a/${id}/.well-known/agent-card.json`)).toMatchObject({ status: 404 });
    const named = await card(`/.well-known/agent.json?agent_id=${id}`);
    expect(named).toMatchObject({
      status: 404,
      body: { error: { message: expect.stringMatching(/^Agent not found/) } },
    });
    expect(JSON.stringify(named.body)).not.toContain("TASK_NOT_FOUND");
  }
});

verifies("a2a.card.caching-headers", "a card can be cached, and is not sent again while it is unchanged", async () => {
  const path = `/a2a/${published}/.well-known/agent-card.json`;
  const { headers } = await card(path);
  expect(headers.get("cache-control")).toMatch(/max-age=\d+/);
  expect(headers.get("vary")).toContain("A2A-Version");
  expect(Date.parse(headers.get("last-modified") ?? "")).toBeGreaterThan(0);
  const etag = headers.get("etag") ?? "";
  expect((await card(path, { "if-none-match": etag })).status).toBe(304);
  expect((await card(path, { "if-none-match": "*" })).status).toBe(304);
  expect((await card(path, { ...V1, "if-none-match": etag })).status).toBe(200);
});

verifies(
  ["a2a.rpc.extended-card", "a2a.rpc.v1-methods"],
  "with a key there is an extended card, for agents that are not published as well",
  async () => {
    const own = await rpc(service, published, { method: "agent/getAuthenticatedExtendedCard" });
    expect(hybridCard.parse(own.result).skills[0]?.tags).toEqual(["plants", "wait"]);
    const unpublished = await rpc(service, hidden, { method: "GetExtendedAgentCard", params: {} });
    expect(strictCard.parse(unpublished.result).name).toBe("Hidden");
    const instance = await rpc(service, "", { method: "GetExtendedAgentCard", params: {} });
    expect(strictCard.parse(instance.result).skills.map(({ id }) => id)).toEqual([published, hidden]);
    const other = await rpc(service, foreign, { method: "GetExtendedAgentCard", params: {} });
    expect(other.error).toMatchObject({ code: -32001, message: "Agent not found" });
  },
);

const notParsed = z.custom<AgentCard>(() => true);
const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string(), x: z.string() })) });

verifies("a2a.card.signed", "the official client verifies every card with the key of the installation", async () => {
  const keys = keySet.parse((await card("/.well-known/jwks.json")).body);
  const asked: (string | undefined)[][] = [];
  const verify = verifyAgentCardSignature(async (kid, jku) => {
    asked.push([kid, jku]);
    return keys.keys[0] ?? {};
  });
  const extended = await rpc(service, published, { method: "GetExtendedAgentCard", params: {} });
  const cards = [
    (await card("/.well-known/agent-card.json", V1)).body,
    (await card(`/a2a/${published}`, V1)).body,
    (await card(`/a2a/${published}`)).body,
    extended.result,
  ];
  for (const signed of cards) await verify(AgentCard.fromJSON(signed));
  expect(new Set(asked.flat())).toEqual(new Set([keys.keys[0]?.kid, `${service.url}/.well-known/jwks.json`]));
  // As a whole: the SDK canonicalizes what it has not parsed yet with its security schemes.
  const strict = strictCard.parse(cards[1]);
  const raw = { ...strict, signatures: undefined };
  const key = createPublicKey({ format: "jwk", key: keys.keys[0] ?? {} });
  const [first] = strict.signatures;
  const payload = Buffer.from(canonicalizeAgentCard(notParsed.parse(raw))).toString("base64url");
  const input = Buffer.from(`${first?.protected}.${payload}`);
  const signature = Buffer.from(first?.signature ?? "", "base64url");
  expect(verifySignature("sha256", input, { key, dsaEncoding: "ieee-p1363" }, signature)).toBe(true);
  const forged = AgentCard.fromJSON(cards[1]);
  await expect(verify({ ...forged, name: "Forged" })).rejects.toThrow("No valid signatures");
});
