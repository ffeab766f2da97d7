import { z } from "zod";
import { trimEndOf } from "#lib/text/trim-end.ts";
import { SEARCH_ENGINE_NAMES } from "./search-engines.ts";
import type { SearchEngineName } from "./search-engines.ts";

/** The search service configured by the operator. */
export interface SearchService {
  readonly engine: SearchEngineName;
  /** Its base URL, without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

const apiKey = z.string().min(1).optional();

const fields = z.object({
  WEB_SEARCH: z
    .enum(SEARCH_ENGINE_NAMES)
    .optional()
    .describe("What the tool web_search asks: searxng, brave, tavily or serper; else the first that is set up."),
  SEARXNG_URL: z.url().optional().describe("A SearXNG whose search.formats holds json, such as http://localhost:8888."),
  BRAVE_API_KEY: apiKey.describe("Brave Search."),
  BRAVE_BASE_URL: z.url().default("https://api.search.brave.com/res/v1").describe("Its base URL."),
  TAVILY_API_KEY: apiKey.describe("Tavily."),
  TAVILY_BASE_URL: z.url().default("https://api.tavily.com").describe("Its base URL."),
  SERPER_API_KEY: apiKey.describe("Serper."),
  SERPER_BASE_URL: z.url().default("https://google.serper.dev").describe("Its base URL."),
});
type Settings = z.output<typeof fields>;

/** The settings that connect each service. */
const SETTINGS_OF: Readonly<
  Record<SearchEngineName, { readonly baseUrl: keyof Settings; readonly apiKey?: keyof Settings }>
> = {
  searxng: { baseUrl: "SEARXNG_URL" },
  brave: { baseUrl: "BRAVE_BASE_URL", apiKey: "BRAVE_API_KEY" },
  tavily: { baseUrl: "TAVILY_BASE_URL", apiKey: "TAVILY_API_KEY" },
  serper: { baseUrl: "SERPER_BASE_URL", apiKey: "SERPER_API_KEY" },
};

/** The settings of web search. A service that WEB_SEARCH names must be configured. */
export const searchSettings = fields.superRefine((settings, context) => {
  const engine = settings.WEB_SEARCH;
  if (engine === undefined || findSearchService(settings) !== undefined) return;
  const missing = SETTINGS_OF[engine].apiKey ?? SETTINGS_OF[engine].baseUrl;
  context.addIssue({ code: "custom", message: `WEB_SEARCH is ${engine}, but ${missing} is not set.` });
});

/** Returns the service that WEB_SEARCH names, else the first one that is configured. */
export function findSearchService(settings: Settings): SearchService | undefined {
  const engines = settings.WEB_SEARCH === undefined ? SEARCH_ENGINE_NAMES : [settings.WEB_SEARCH];
  for (const engine of engines) {
    const names = SETTINGS_OF[engine];
    const baseUrl = settings[names.baseUrl];
    const key = names.apiKey === undefined ? "" : settings[names.apiKey];
    if (baseUrl !== undefined && key !== undefined) return { engine, baseUrl: trimEndOf(baseUrl, "/"), apiKey: key };
  }
  return undefined;
}
