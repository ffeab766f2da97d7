import { Hono } from "hono";
import type { HttpEnv, HttpServices } from "../context.ts";
import type { McpEndpoint } from "./endpoint.ts";

/** The MCP endpoint of {@link McpEndpoint}; it and the protocol's SDK are loaded by the first request. */
export function mcp(services: HttpServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  let endpoint: Promise<McpEndpoint> | undefined;
  app.all("/", async (c) => {
    endpoint ??= import("./endpoint.ts").then(({ createMcpEndpoint }) => createMcpEndpoint(services));
    return (await endpoint)(c);
  });
  return app;
}
