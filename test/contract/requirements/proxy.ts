import type { Requirements } from "./requirement.ts";

/** Requests that leave the network through the operator's proxy. */
export const proxy = {
  "proxy.models": {
    states:
      "With HTTPS_PROXY and HTTP_PROXY, models and embeddings are called through the proxy, with its user name and password.",
    source: "goal",
  },
  "proxy.tools": {
    states: "web_search, read_url, MCP servers and remote A2A agents are called through the proxy.",
    source: "goal",
  },
  "proxy.deliveries": {
    states: "Deliveries go through the proxy; a host of NO_PROXY is reached directly.",
    source: "goal",
  },
  "proxy.guard": {
    states: "URLs of workspaces are checked, with the addresses of their names, before the proxy is asked.",
    source: "goal",
  },
  "proxy.errors": {
    states:
      "When a proxy is away or wants another password, the error names the setting, and neither its host nor the password.",
    source: "goal",
  },
  "proxy.settings": {
    states:
      "HTTPS_PROXY, HTTP_PROXY and NO_PROXY may be in lower case; an invalid URL stops the start with the setting's name.",
    source: "goal",
  },
} as const satisfies Requirements<"proxy">;
