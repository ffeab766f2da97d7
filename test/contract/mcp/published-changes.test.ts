import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { createDatabase, createKeys, startPeer, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

const keys = createKeys();
let database: TestDatabase;
let service: TestService;
let peer: TestService;

beforeAll(async () => {
  database = await createDatabase();
  service = await startService({ databaseUrl: database.url, keys });
  peer = await startPeer({ databaseUrl: database.url, keys });
});
afterAll(async () => {
  for (const each of [service, peer]) await each.stop();
  await database.drop();
});

interface Watching {
  /** The names of the tools, as listed after each notification. */
  readonly lists: readonly (readonly string[])[];
  close(): Promise<void>;
}

type Watch = (url: string) => Promise<Watching>;

const IDENTITY = { name: "tests", version: "1" };

/** The options of a transport, and whether its stream of notifications is open. */
function transport() {
  const requestInit = { headers: { Authorization: `Bearer ${keys.mcp}` } };
  const opened = Promise.withResolvers<void>();
  const listening: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    const listens =
      init?.method === "GET" || (typeof init?.body === "string" && init.body.includes("subscriptions/listen"));
    if (listens && response.ok) opened.resolve();
    return response;
  };
  return { options: { requestInit, fetch: listening }, opened: opened.promise };
}

function listing() {
  const lists: string[][] = [];
  const onChanged = (error: Error | null, tools: readonly { readonly name: string }[] | null) => {
    if (error !== null || tools === null) throw new Error("The tools were not listed.", { cause: error });
    lists.push(tools.map(({ name }) => name));
  };
  return { lists, listChanged: { tools: { onChanged, debounceMs: 0 } } };
}

const watchToday =
  (mode: "auto" | "legacy"): Watch =>
  async (url) => {
    const { lists, listChanged } = listing();
    const client = new Client(IDENTITY, { versionNegotiation: { mode }, listChanged });
    const { options, opened } = transport();
    await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", url), options));
    await opened;
    return { lists, close: () => client.close() };
  };

const watchBefore: Watch = async (url) => {
  const { lists, listChanged } = listing();
  const client = new ClientV1(IDENTITY, { listChanged });
  const { options, opened } = transport();
  await client.connect(new TransportV1(new URL("/mcp", url), options));
  await opened;
  return { lists, close: () => client.close() };
};

const CLIENTS = [
  ["client 2, revision 2026-07-28", watchToday("auto")],
  ["client 2 with a handshake", watchToday("legacy")],
  ["sdk 1", watchBefore],
] as const;

describe.each(CLIENTS)("%s", (_name, watch) => {
  verifies("mcp.server.list-changed", "hears of a published agent from another process", async () => {
    const { lists, close } = await watch(service.url);
    const api = apiOf(peer, keys.api);
    const { id } = await createAgent(api, { name: "Quiet" });
    await api.patch(`/api-agents?id=${id}`, { is_mcp_published: true });
    await eventually("the tool is listed", () => lists.at(-1)?.includes("quiet"));
    // A change that its tool does not show is no news.
    await api.patch(`/api-agents?id=${id}`, { system_prompt: "Whisper." });
    await api.delete(`/api-agents?id=${id}`);
    await eventually("the tool is gone", () => lists.at(-1)?.length === 0);
    expect(lists.length).toBe(2);
    await close();
  });
});
