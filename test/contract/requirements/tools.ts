import type { Requirements } from "./requirement.ts";

/** The tools that agents can use: those of the service, and those that a workspace makes. */
export const tools = {
  "tools.search.searxng": {
    states: "web_search asks a SearXNG by its search API and gives the hits as title, address and description.",
    source: "goal",
  },
  "tools.search.brave": { states: "web_search asks Brave Search by its web search API.", source: "goal" },
  "tools.search.tavily": { states: "web_search asks Tavily by its search endpoint.", source: "goal" },
  "tools.search.serper": { states: "web_search asks Serper by its search endpoint.", source: "goal" },
  "tools.search.not-configured": {
    states: "Without a search service web_search fails with a message that names the settings.",
    source: "goal",
  },
  "tools.search.errors": {
    states: "A search service that refuses, is away or answers nonsense is a tool error without its key.",
    source: "goal",
  },
  "tools.http-request": {
    states: "http_request sends a method, headers and a body, and gives status, headers and body back.",
    source: "goal",
  },
  "tools.read-url.html": {
    states: "read_url gives a page's readable text without menus and scripts, with its links.",
    source: "goal",
  },
  "tools.read-url.plain": { states: "read_url passes plain text and JSON through.", source: "goal" },
  "tools.read-url.types": { states: "read_url refuses other types with a clear error.", source: "goal" },
  "tools.read-url.caps": {
    states: "Pages that are too large, too slow or too entangled end in a tool error, not in a dead process.",
    source: "goal",
  },
  "tools.web.guard": {
    states: "What an agent names never leads to private networks, through redirects and names neither.",
    source: "decision",
  },
  "tools.web.allow-private": {
    states: "ALLOW_PRIVATE_URLS opens private networks, and never a cloud's metadata service.",
    source: "decision",
  },
} as const satisfies Requirements<"tools">;
