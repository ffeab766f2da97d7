import { afterAll, beforeAll, describe, expect } from "vitest";
import { NO_PROXIES } from "#lib/safe-fetch/proxies.ts";
import { createSafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import type { SearchEngineName } from "#tools/web/search-engines.ts";
import webSearch from "#tools/web-search.ts";
import { searchSettings } from "#tools/web/search-service.ts";
import { answerJson, startFakeServer } from "../../support/fake-server.ts";
import type { FakeServer } from "../../support/fake-server.ts";
import { verifies } from "../../support/verifies.ts";

const KEY = "key-of-a-test";
const QUERY = "where do ducks go & why";

/** What each service's own documentation says of its requests and answers. */
const ENGINES = [
  {
    verifies: "tools.search.searxng",
    engine: "searxng",
    request: { method: "GET", path: "/search?q=where+do+ducks+go+%26+why&format=json" },
    headers: {},
    body: undefined,
    answer: {
      query: QUERY,
      number_of_results: 0,
      results: [
        { url: "https://ducks.example/a", title: "Ducks", content: "They go south.", engine: "a", score: 1.5 },
        { url: "https://ducks.example/b", title: "More ducks", content: "They stay.", engine: "b", score: 0.5 },
        { url: "https://ducks.example/c", title: "Still more", content: "", engine: "b", score: 0.1 },
      ],
      answers: [],
      suggestions: [],
      unresponsive_engines: [["c", "timeout"]],
    },
  },
  {
    verifies: "tools.search.brave",
    engine: "brave",
    request: { method: "GET", path: "/web/search?q=where+do+ducks+go+%26+why&count=2&text_decorations=false" },
    headers: { "x-subscription-token": KEY, accept: "application/json" },
    body: undefined,
    answer: {
      type: "search",
      query: { original: QUERY, more_results_available: true },
      web: {
        type: "search",
        results: [
          { title: "Ducks", url: "https://ducks.example/a", description: "They go south.", age: "May 2, 2026" },
          { title: "More ducks", url: "https://ducks.example/b", description: "They stay." },
        ],
      },
    },
  },
  {
    verifies: "tools.search.tavily",
    engine: "tavily",
    request: { method: "POST", path: "/search" },
    headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
    body: { query: QUERY, max_results: 2 },
    answer: {
      query: QUERY,
      answer: null,
      images: [],
      results: [
        { title: "Ducks", url: "https://ducks.example/a", content: "They go south.", score: 0.9, raw_content: null },
        { title: "More ducks", url: "https://ducks.example/b", content: "They stay.", score: 0.8, raw_content: null },
      ],
      response_time: 1.2,
    },
  },
  {
    verifies: "tools.search.serper",
    engine: "serper",
    request: { method: "POST", path: "/search" },
    headers: { "x-api-key": KEY, "content-type": "application/json" },
    body: { q: QUERY, num: 2 },
    answer: {
      searchParameters: { q: QUERY, type: "search", num: 2 },
      organic: [
        { title: "Ducks", link: "https://ducks.example/a", snippet: "They go south.", position: 1 },
        { title: "More ducks", link: "https://ducks.example/b", snippet: "They stay.", position: 2 },
      ],
      credits: 1,
    },
  },
] as const;

const EMPTY = [
  { engine: "searxng", answer: { results: [] } },
  { engine: "brave", answer: { type: "search", query: { original: QUERY } } },
  { engine: "tavily", answer: { results: [] } },
  { engine: "serper", answer: { searchParameters: {}, credits: 1 } },
] as const;

let server: FakeServer;
let answer: { readonly status: number; readonly body: unknown } = { status: 200, body: {} };

beforeAll(async () => {
  server = await startFakeServer((_, response) => answerJson(response, answer.body, answer.status));
});
afterAll(() => server.close());

/** The operator's settings for one service. */
function settingsOf(engine: SearchEngineName, baseUrl: string) {
  const name = engine.toUpperCase();
  const connection =
    engine === "searxng" ? { SEARXNG_URL: baseUrl } : { [`${name}_BASE_URL`]: baseUrl, [`${name}_API_KEY`]: KEY };
  return searchSettings.parse({ WEB_SEARCH: engine, ...connection });
}

function search(engine: SearchEngineName, baseUrl = server.url): Promise<unknown> {
  return webSearch.execute(
    { query: QUERY, count: 2 },
    {
      workspaceId: "",
      subjectId: "",
      callId: "",
      idempotencyKey: "",
      delegationMetadata: {},
      traceparent: undefined,
      signal: new AbortController().signal,
      progress: () => Promise.resolve(),
      storeFile: () => Promise.reject(new Error("It stores none.")),
      answers: [],
      approver: async () => undefined,
      searchKnowledge: () => Promise.resolve({ mode: "words", note: null, results: [] }),
      fetch: createSafeFetch({ proxies: NO_PROXIES, reach: "public" }),
      fetchAnywhere: createSafeFetch({ proxies: NO_PROXIES, reach: "anywhere" }),
      settings: settingsOf(engine, baseUrl),
    },
  );
}

for (const { engine, request, headers, body, answer: answered, ...row } of ENGINES) {
  verifies(row.verifies, `${engine} is asked as it wants to be, and its hits are read`, async () => {
    answer = { status: 200, body: answered };
    expect(await search(engine)).toBe(
      "1. Ducks\nhttps://ducks.example/a\nThey go south.\n\n2. More ducks\nhttps://ducks.example/b\nThey stay.",
    );
    const seen = server.seen.at(-1);
    expect(seen).toMatchObject({ ...request, headers });
    expect(seen?.body).toBe(body === undefined ? "" : JSON.stringify(body));
  });
}

describe.each(EMPTY)("$engine", ({ engine, answer: answered }) => {
  verifies(["tools.search.errors"], "finding nothing is no error", async () => {
    answer = { status: 200, body: answered };
    expect(await search(engine)).toBe(`Nothing was found for "${QUERY}".`);
  });

  verifies("tools.search.errors", "failed and invalid responses are errors without the key", async () => {
    answer = { status: 401, body: { error: `wrong key ${KEY}` } };
    await expect(search(engine)).rejects.toThrow(/answered with HTTP 401: the service's operator has to check/);
    answer = { status: 429, body: {} };
    await expect(search(engine)).rejects.toThrow(/HTTP 429: too many searches/);
    answer = { status: 200, body: [KEY] };
    await expect(search(engine)).rejects.toThrow(/cannot be understood/);
    await expect(search(engine, "http://127.0.0.1:1")).rejects.not.toThrow(KEY);
  });
});
