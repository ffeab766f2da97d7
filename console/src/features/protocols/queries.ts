import { useQuery } from "@tanstack/react-query";
import { fetchJson } from "../../api/fetch-json.ts";
import { usePages } from "../../api/use-pages.ts";
import type { McpServer, McpTool, Published, RemoteAgent } from "./records.ts";

export const REMOTE_AGENTS_PATH = "/console/api/remote-agents";
export const MCP_SERVERS_PATH = "/console/api/mcp-servers";
export const PUBLISHED_PATH = "/console/api/published";

/** The remote agents, newest first. */
export function useRemoteAgents() {
  return usePages<RemoteAgent>(["remote-agents"], REMOTE_AGENTS_PATH);
}

/** One of them. */
export function useRemoteAgent(id: string) {
  return useQuery({
    queryKey: ["remote-agents", id],
    queryFn: () => fetchJson<RemoteAgent>(`${REMOTE_AGENTS_PATH}/${id}`),
  });
}

/** The MCP servers, newest first. */
export function useMcpServers() {
  return usePages<McpServer>(["mcp-servers"], MCP_SERVERS_PATH);
}

/** One of them. */
export function useMcpServer(id: string) {
  return useQuery({ queryKey: ["mcp-servers", id], queryFn: () => fetchJson<McpServer>(`${MCP_SERVERS_PATH}/${id}`) });
}

/** The tools of one, as they were listed last. */
export function useMcpTools(id: string) {
  return useQuery({
    queryKey: ["mcp-servers", id, "tools"],
    queryFn: () => fetchJson<readonly McpTool[]>(`${MCP_SERVERS_PATH}/${id}/tools`),
  });
}

/** The agents that others can call, and their URLs. */
export function usePublished() {
  return useQuery({ queryKey: ["published"], queryFn: () => fetchJson<Published>(PUBLISHED_PATH) });
}
