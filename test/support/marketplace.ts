import { z } from "zod";
import { apiOf, consoleOf, send } from "./api.ts";
import type { Answer, Api } from "./api.ts";
import { createTool } from "./custom-tools.ts";
import { createRoute } from "./destinations/deliveries.ts";
import { useSharedService } from "./shared-service.ts";
import type { SharedService } from "./shared-service.ts";
import { addWorkspace, sql } from "./workspace.ts";
import type { TestWorkspace } from "./workspace.ts";

/** What only the agent's own workspace may see, in any field of a response. */
const HIDDEN = {
  system_prompt: "hidden-in-prompt",
  fallback_model: "gpt-4o",
  fallback_models: ["gpt-4o", "gpt-4-turbo"],
  output_schema: { type: "object", description: "hidden-in-schema" },
  voice_profile: { tone: "Custom", custom_instructions: "hidden-in-voice" },
  output_template: { type: "Custom", body: "hidden-in-template" },
  config: { note: "hidden-in-config" },
  tools: ["wait", "mcp:hidden-in-server/find"],
};

/** The fields of an agent on the marketplace; those that others must not see say `hidden-in-…`. */
export const LISTED = {
  ...HIDDEN,
  name: "Summariser",
  description: "Makes 100% short texts",
  tags: ["text"],
  marketplace_tags: ["writing", "short"],
  is_marketplace: true,
};

const installed = z.strictObject({
  install_count: z.int(),
  agent_id: z.uuid(),
  needs_review: z.boolean(),
  held_tools: z.array(z.string()),
  warnings: z.array(z.string()),
});

/** A workspace that publishes agents, and another one that installs them. */
export interface Marketplace {
  readonly service: SharedService;
  readonly publisher: Api;
  /** {@link LISTED} with a tool and an output route of the publisher's workspace. */
  readonly listed: typeof LISTED & { readonly output_route_ids: readonly string[] };
  readonly routeId: string;
  readonly other: TestWorkspace;
  /** Sends a request to the marketplace, by default as the other workspace. */
  ask(method: string, path: string, headers?: { key?: string } & Record<string, string>): Promise<Answer>;
  /** Installs an agent, by default in the other workspace. */
  install(id: string, key?: string): Promise<z.output<typeof installed>>;
}

/** Opens both in the shared service. */
export async function openMarketplace(): Promise<Marketplace> {
  const service = await useSharedService();
  const toolId = await createTool(service, { name: "hidden_tool" });
  const routeId = (await createRoute(consoleOf(service, service.keys.api), "https://example.com/")).id;
  const other = await addWorkspace(service.databaseUrl);
  await sql(
    service.databaseUrl,
    `with server as (
       insert into mcp_servers (id, workspace_id, name, url, timeout_ms, info)
       values (gen_random_uuid(), $1, 'hidden-in-server', 'https://mcp.example/mcp', 1000, '{}') returning id)
     insert into mcp_tools (workspace_id, server_id, name, position, description, input_schema, annotations)
     select $1, id, 'find', 0, '', '{}', '{}' from server`,
    [service.workspaceId],
  );
  const ask: Marketplace["ask"] = (method, path, { key = other.key, ...headers } = {}) =>
    send(method, `${service.url}/console/api/marketplace${path}`, { headers: { "x-api-key": key, ...headers } });
  return {
    service,
    publisher: apiOf(service, service.keys.api),
    listed: { ...LISTED, tools: [`custom:${toolId}`, ...LISTED.tools], output_route_ids: [routeId] },
    routeId,
    other,
    ask,
    async install(id, key = other.key) {
      const { status, text, body } = await ask("POST", `/${id}/install`, { key });
      if (status !== 201) throw new Error(`An install was rejected with ${status}: ${text}`);
      return installed.parse(body);
    },
  };
}
