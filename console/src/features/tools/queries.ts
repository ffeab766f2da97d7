import { useQuery } from "@tanstack/react-query";
import { fetchJson } from "../../api/fetch-json.ts";
import { readAll, usePages } from "../../api/use-pages.ts";
import { stringifySearch } from "../../lib/search.ts";
import type { BuiltInTool, CustomTool, CustomToolCall, McpTool } from "./records.ts";

const SELDOM_MS = 60_000;

/** The tools that the service has, with whether agents can use them. */
export function useBuiltInTools() {
  return useQuery({
    queryKey: ["tools", "built-in"],
    queryFn: () => fetchJson<readonly BuiltInTool[]>("/console/api/tools/built-in"),
    staleTime: SELDOM_MS,
  });
}

/** The path of the custom tools whose name has this text. */
export function toolsPath(q: string | undefined): string {
  return `/console/api/tools${stringifySearch({ q })}`;
}

/** The custom tools of the workspace whose name has this text, in pages, newest first. */
export function useCustomToolList(q: string | undefined) {
  return usePages<CustomTool>(["tools", "list"], toolsPath(q));
}

/** All custom tools of the workspace, newest first. */
export function useCustomTools() {
  return useQuery({
    queryKey: ["tools", "custom"],
    queryFn: () => readAll<CustomTool>("/console/api/tools"),
  });
}

/** One custom tool. */
export function useCustomTool(id: string) {
  return useQuery({
    queryKey: ["tools", "one", id],
    queryFn: () => fetchJson<CustomTool>(`/console/api/tools/${id}`),
  });
}

/** The calls of a custom tool, in pages, newest first. */
export function useToolCalls(id: string) {
  return usePages<CustomToolCall>(["tools", "calls", id], `/console/api/tools/${id}/calls`);
}

/** The tools of the MCP servers that are switched on, as far as agents can use them. */
export function useMcpTools() {
  return useQuery({
    queryKey: ["tools", "mcp"],
    queryFn: () => fetchJson<readonly McpTool[]>("/console/api/mcp-servers/tools"),
    staleTime: SELDOM_MS,
  });
}
