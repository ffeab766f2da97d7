import { z } from "zod";
import type { SafeInit } from "#lib/safe-fetch/follow-redirects.ts";

/** The search services that `web_search` supports. */
export const SEARCH_ENGINE_NAMES = ["searxng", "brave", "tavily", "serper"] as const;

/** One of {@link SEARCH_ENGINE_NAMES}. */
export type SearchEngineName = (typeof SEARCH_ENGINE_NAMES)[number];

/** A query, and the number of results. */
export interface SearchQuery {
  readonly query: string;
  readonly count: number;
}

/** A found page. */
export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

/** The request and response of a search service. */
export interface SearchEngine {
  readonly label: string;
  /** Builds the request. @param base the service's address without a trailing slash */
  request(base: string, apiKey: string, query: SearchQuery): SafeInit & { readonly url: string };
  /** Reads the results from the response's JSON. */
  readonly answer: z.ZodType<SearchHit[]>;
}

const text = z
  .string()
  .nullish()
  .transform((given) => given ?? "");

/** All search services by name. */
export const SEARCH_ENGINES: Readonly<Record<SearchEngineName, SearchEngine>> = {
  // https://docs.searxng.org/dev/search_api.html; `json` has to be among its `search.formats`.
  searxng: {
    label: "SearXNG",
    request: (base, _, { query }) => ({ url: `${base}/search?${asQuery({ q: query, format: "json" })}` }),
    answer: z
      .object({ results: z.array(z.object({ title: text, url: z.string(), content: text })) })
      .transform(({ results }) => results.map(({ content, ...hit }) => ({ ...hit, snippet: content }))),
  },
  // https://api-dashboard.search.brave.com/api-reference/web/search/get
  brave: {
    label: "Brave Search",
    request: (base, apiKey, { query, count }) => ({
      url: `${base}/web/search?${asQuery({ q: query, count: String(count), text_decorations: "false" })}`,
      headers: { "X-Subscription-Token": apiKey },
    }),
    answer: z
      .object({
        web: z.object({ results: z.array(z.object({ title: text, url: z.string(), description: text })) }).nullish(),
      })
      .transform(({ web }) => web?.results.map(({ description, ...hit }) => ({ ...hit, snippet: description })) ?? []),
  },
  // https://docs.tavily.com/documentation/api-reference/endpoint/search
  tavily: {
    label: "Tavily",
    request: (base, apiKey, { query, count }) => ({
      url: `${base}/search`,
      ...posted({ query, max_results: count }, { Authorization: `Bearer ${apiKey}` }),
    }),
    answer: z
      .object({ results: z.array(z.object({ title: text, url: z.string(), content: text })) })
      .transform(({ results }) => results.map(({ content, ...hit }) => ({ ...hit, snippet: content }))),
  },
  // https://serper.dev
  serper: {
    label: "Serper",
    request: (base, apiKey, { query, count }) => ({
      url: `${base}/search`,
      ...posted({ q: query, num: count }, { "X-API-KEY": apiKey }),
    }),
    answer: z
      .object({ organic: z.array(z.object({ title: text, link: z.string(), snippet: text })).default([]) })
      .transform(({ organic }) => organic.map(({ link, ...hit }) => ({ ...hit, url: link }))),
  },
};

function asQuery(parameters: Readonly<Record<string, string>>): string {
  return new URLSearchParams(parameters).toString();
}

function posted(body: unknown, headers: Readonly<Record<string, string>>): SafeInit {
  return { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body) };
}
