import { useQuery } from "@tanstack/react-query";
import { listPublishedAgents } from "#client/gen/operations/agents.ts";
import { getMcpServer, listMcpServerTools, listMcpServers } from "#client/gen/operations/mcp-servers.ts";
import { getRemoteAgent, listRemoteAgents } from "#client/gen/operations/remote-agents.ts";
import { call } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";

export const REMOTE_AGENTS_PATH = "/console/api/remote-agents";
export const MCP_SERVERS_PATH = "/console/api/mcp-servers";
export const PUBLISHED_PATH = "/console/api/published";

/** The remote agents, newest first. */
export function useRemoteAgents() {
  return usePages(["remote-agents"], [listRemoteAgents, {}]);
}

/** One of them. */
export function useRemoteAgent(id: string) {
  return useQuery({
    queryKey: ["remote-agents", id],
    queryFn: () => call(getRemoteAgent)({ id }),
  });
}

/** The MCP servers, newest first. */
export function useMcpServers() {
  return usePages(["mcp-servers"], [listMcpServers, {}]);
}

/** One of them. */
export function useMcpServer(id: string) {
  return useQuery({ queryKey: ["mcp-servers", id], queryFn: () => call(getMcpServer)({ id }) });
}

/** The tools of one, as they were listed last. */
export function useMcpTools(id: string) {
  return useQuery({
    queryKey: ["mcp-servers", id, "tools"],
    queryFn: () => call(listMcpServerTools)({ id }),
  });
}

/** The agents that others can call, and their URLs. */
export function usePublished() {
  return useQuery({ queryKey: ["published"], queryFn: () => call(listPublishedAgents)() });
}
