import type { components } from "#client/gen/schema.ts";

/** An agent of another service. */
export type RemoteAgent = components["schemas"]["RemoteAgent"];
/** An external server whose tools agents call. */
export type McpServer = components["schemas"]["McpServer"];
/** An account at a server to which people sign in. */
export type McpAccount = components["schemas"]["McpAccount"];
/** One of its tools. */
export type McpTool = components["schemas"]["McpTool"];
/** What a server that is not connected offers. */
export type McpDiscovery = components["schemas"]["McpDiscovery"];
/** A published agent. */
export type Published = components["schemas"]["Published"];
