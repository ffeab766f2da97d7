import { useQuery } from "@tanstack/react-query";
import { listUsableMcpTools } from "#client/gen/operations/mcp-servers.ts";
import { getTool, listBuiltInTools, listToolCalls, listTools } from "#client/gen/operations/tools.ts";
import { call } from "../../api/client.ts";
import { readAll, usePages } from "../../api/use-pages.ts";
import { given } from "../../lib/given.ts";
import { stringifySearch } from "../../lib/search.ts";

const SELDOM_MS = 60_000;

/** The tools that the service has, with whether agents can use them. */
export function useBuiltInTools() {
  return useQuery({
    queryKey: ["tools", "built-in"],
    queryFn: () => call(listBuiltInTools)(),
    staleTime: SELDOM_MS,
  });
}

/** The path of the custom tools whose name has this text. */
export function toolsPath(q: string | undefined): string {
  return `/console/api/tools${stringifySearch({ q })}`;
}

/** The custom tools of the workspace whose name has this text, in pages, newest first. */
export function useCustomToolList(q: string | undefined) {
  return usePages(["tools", "list"], [listTools, given({ q })]);
}

/** All custom tools of the workspace, newest first. */
export function useCustomTools() {
  return useQuery({
    queryKey: ["tools", "custom"],
    queryFn: () => readAll(listTools, {}),
  });
}

/** One custom tool. */
export function useCustomTool(id: string) {
  return useQuery({
    queryKey: ["tools", "one", id],
    queryFn: () => call(getTool)({ id }),
  });
}

/** The calls of a custom tool, in pages, newest first. */
export function useToolCalls(id: string) {
  return usePages(["tools", "calls", id], [listToolCalls, { id }]);
}

/** The tools of the MCP servers that are switched on, as far as agents can use them. */
export function useMcpTools() {
  return useQuery({
    queryKey: ["tools", "mcp"],
    queryFn: () => call(listUsableMcpTools)(),
    staleTime: SELDOM_MS,
  });
}
