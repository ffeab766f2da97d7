import { z } from "zod";
import { fetchWhole } from "#lib/safe-fetch/fetch-whole.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import { defineTool } from "./define-tool.ts";
import { SEARCH_ENGINES } from "./web/search-engines.ts";
import type { SearchHit, SearchQuery } from "./web/search-engines.ts";
import { findSearchService, searchSettings } from "./web/search-service.ts";
import type { SearchService } from "./web/search-service.ts";

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 2 * 1024 * 1024;
/** The longest query that every service accepts (Brave's limit). */
const MAX_QUERY = 400;
/** The most results that every service returns (Brave's and Tavily's limit). */
const MAX_HITS = 20;
const MAX_SNIPPET = 2_000;
const NOT_SET_UP =
  "Web search is not set up on this service. Its operator has to set SEARXNG_URL, BRAVE_API_KEY, TAVILY_API_KEY or " +
  "SERPER_API_KEY.";

/** Lets an agent search the web with the search service of the instance. */
export default defineTool({
  name: "web_search",
  description: "Searches the web and returns titles, addresses and short descriptions of the pages that were found.",
  input: z.strictObject({
    query: z.string().trim().min(1).max(MAX_QUERY),
    count: z.int().min(1).max(MAX_HITS).default(5).describe("How many pages to return."),
  }),
  settings: searchSettings,
  findObstacle: (settings) => (findSearchService(settings) === undefined ? NOT_SET_UP : undefined),
  async execute(query, { settings, fetchAnywhere, signal }) {
    const service = findSearchService(settings);
    if (service === undefined) throw new Error(NOT_SET_UP);
    const hits = await search(service, query, { fetch: fetchAnywhere, signal });
    if (hits.length === 0) return `Nothing was found for "${query.query}".`;
    return hits.map(written).join("\n\n");
  },
});

async function search(
  { engine: name, baseUrl, apiKey }: SearchService,
  query: SearchQuery,
  { fetch, signal }: { readonly fetch: SafeFetch; readonly signal: AbortSignal },
): Promise<readonly SearchHit[]> {
  const engine = SEARCH_ENGINES[name];
  const { url, ...request } = engine.request(baseUrl, apiKey, query);
  const { ok, status, body } = await fetchWhole(fetch, url, {
    ...request,
    headers: { Accept: "application/json", ...request.headers },
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    signal,
  });
  if (!ok) throw new Error(`${engine.label} answered with HTTP ${status}${adviceFor(status)}.`);
  const parsed = engine.answer.safeParse(parseJson(body));
  if (!parsed.success) throw new Error(`${engine.label} gave an answer that cannot be understood.`);
  return parsed.data.slice(0, query.count);
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403) return ": the service's operator has to check its key and settings";
  if (status === 429) return ": too many searches, or the plan is used up; try again later";
  return "";
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    return undefined;
  }
}

function written({ title, url, snippet }: SearchHit, index: number): string {
  return `${index + 1}. ${title}\n${url}\n${snippet.slice(0, MAX_SNIPPET).toWellFormed()}`.trimEnd();
}
