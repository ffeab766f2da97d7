import { createSafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import type { SearchSettings } from "#tools/define-tool.ts";
import { SEARCH_ENGINE_NAMES } from "#tools/web/search-engines.ts";
import { ConfigError } from "./config.ts";
import type { Config } from "./config.ts";
import { trimEndOf } from "#lib/text/trim-end.ts";

/**
 * The instance's search service: the one named by WEB_SEARCH, else the first one that is configured.
 * @throws ConfigError when WEB_SEARCH names one that is not configured
 */
export function searchSettings(config: Config): SearchSettings | undefined {
  const fetch = createSafeFetch({ reach: "anywhere" });
  const access = {
    searxng: { baseUrl: config.SEARXNG_URL, apiKey: "", needs: "SEARXNG_URL" },
    brave: { baseUrl: config.BRAVE_BASE_URL, apiKey: config.BRAVE_API_KEY, needs: "BRAVE_API_KEY" },
    tavily: { baseUrl: config.TAVILY_BASE_URL, apiKey: config.TAVILY_API_KEY, needs: "TAVILY_API_KEY" },
    serper: { baseUrl: config.SERPER_BASE_URL, apiKey: config.SERPER_API_KEY, needs: "SERPER_API_KEY" },
  };
  const wanted = config.WEB_SEARCH;
  for (const engine of wanted === undefined ? SEARCH_ENGINE_NAMES : [wanted]) {
    const { baseUrl, apiKey } = access[engine];
    if (baseUrl === undefined || apiKey === undefined) continue;
    return { engine, baseUrl: trimEndOf(baseUrl, "/"), apiKey, fetch };
  }
  if (wanted !== undefined) throw new ConfigError(`WEB_SEARCH is ${wanted}, but ${access[wanted].needs} is not set.`);
  return undefined;
}
