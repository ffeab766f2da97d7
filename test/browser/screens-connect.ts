import { z } from "zod";
import { consoleOf, fieldsOf } from "../support/api.ts";
import type { Api } from "../support/api.ts";
import { createRoute, deliveriesOver, startReceiver } from "../support/destinations/deliveries.ts";
import type { Receiver } from "../support/destinations/deliveries.ts";
import { QUICK, createAgent, taskIn } from "../support/work.ts";
import { sql } from "../support/workspace.ts";
import { startRemoteAgent } from "../support/a2a/remote-agent.ts";
import { startOAuthMcpServer } from "../support/mcp/oauth-server.ts";
import { startMcpServer } from "../support/mcp/server.ts";
import { openScene } from "./scene.ts";
import type { Scene } from "./scene.ts";
import type { SweptScene } from "./sweep-screens.ts";

interface Ids {
  readonly failing: string;
  readonly delivery: string;
  readonly listing: string;
  readonly remote: string;
  readonly server: string;
  readonly mail: string;
  readonly schedule: string;
  readonly trigger: string;
}

/** A service, and what it is connected to. */
interface Place {
  readonly scene: Scene;
  readonly desk: Api;
  readonly receiver: Receiver;
  readonly remoteUrl: string;
  readonly mcpUrl: string;
  readonly mailUrl: string;
}

/** Opens a workspace in which the screens of Connect have something to show. */
export async function openConnectScreens(): Promise<SweptScene> {
  const receiver = await startReceiver();
  const remote = await startRemoteAgent({ protocol: "1.0", name: "Translator" });
  const mcp = await startMcpServer("stateless");
  const mail = await startOAuthMcpServer();
  const scene = await openScene({ env: { ALLOW_PRIVATE_URLS: "true" } });
  const desk = consoleOf(scene.service, scene.service.keys.api);
  const place = { scene, desk, receiver, remoteUrl: remote.url, mcpUrl: mcp.url, mailUrl: mail.url };
  // First the work, whose results would else be delivered to the routes.
  const plans = await fillPlans(place);
  const ids = { ...plans, ...(await fillDestinations(place)), ...(await fillProtocols(place)) };
  const home = `${scene.service.url}/w/my-workspace`;
  return {
    scene,
    withoutSession: [],
    screens: SCREENS.map(({ name, path, shows }) => ({ name, url: home + path(ids), shows })),
    close: async () => {
      await scene.service.stop();
      await Promise.all([receiver.close(), remote.close(), mcp.close(), mail.close()]);
    },
  };
}

/** Routes in each state, deliveries that went well and that failed, and a paused subscription. */
async function fillDestinations({ scene, desk, receiver }: Place): Promise<Pick<Ids, "failing" | "delivery">> {
  const good = await createRoute(desk, `${receiver.url}/results`, { name: "Results to the data team" });
  const failing = await createRoute(desk, `${receiver.url}/tickets`, {
    name: "Tickets for support",
    config: { url: `${receiver.url}/tickets`, secret: "a secret of mine" },
    retry_delays: [],
  });
  const slack = { webhook_url: "https://hooks.slack.com/services/T0/B0/abcdefgh" };
  const body = { name: "Releases channel", type: "slack", config: slack, is_active: false };
  if ((await desk.post("/routes", body)).status !== 201) throw new Error("The route was rejected.");
  for (let n = 0; n < 3; n++) await desk.post(`/routes/${good.id}/test`, {});
  await desk.post(`/routes/${failing.id}/test`, {});
  await deliveriesOver(desk, failing.id);
  receiver.answerWith("/tickets", 503);
  for (let n = 0; n < 4; n++) await desk.post(`/routes/${failing.id}/test`, {});
  const [delivery] = await deliveriesOver(desk, failing.id, 5);
  await deliveriesOver(desk, good.id, 3);
  const hook = { target_url: "https://example.com/muster/finished", event: "task_completed" };
  await desk.post("/hooks", hook);
  await desk.post("/hooks", { target_url: "https://example.com/muster/alarms", event: "task_failed" });
  await sql(
    scene.service.databaseUrl,
    "update webhook_subscriptions set is_active = false where event = 'task_failed'",
  );
  const unhealthy = "update output_routes set failures_in_row = 23 where id = $1";
  await sql(scene.service.databaseUrl, unhealthy, [failing.id]);
  return { failing: failing.id, delivery: delivery?.id ?? "" };
}

/** A remote agent, an MCP server, and an agent that is published and offered. */
async function fillProtocols({
  scene,
  desk,
  remoteUrl,
  mcpUrl,
  mailUrl,
}: Place): Promise<Pick<Ids, "listing" | "remote" | "server" | "mail">> {
  const agent = fieldsOf(await desk.post("/remote-agents", { base_url: remoteUrl, token: "a-token-of-mine" }));
  const server = fieldsOf(await desk.post("/mcp-servers", { name: "tracker", url: mcpUrl }));
  const oauth = { account: "person" };
  const mail = String(fieldsOf(await desk.post("/mcp-servers", { name: "mail", url: mailUrl, oauth }))["id"]);
  await sql(
    scene.service.databaseUrl,
    `insert into mcp_accounts (id, workspace_id, server_id, user_id, name, tokens_ciphertext, status, error)
     select gen_random_uuid(), s.workspace_id, s.id, m.user_id, s.name, '', 'lost', 'The server rejects its new tokens.'
     from mcp_servers s join members m using (workspace_id) where s.id = $1 limit 1`,
    [mail],
  );
  const { id: listing } = await createAgent(scene.api, {
    name: "Release notes",
    description: "Writes release notes from a list of changes.",
    is_mcp_published: true,
    is_a2a_published: true,
    is_marketplace: true,
    marketplace_tags: ["writing", "releases"],
  });
  return { listing, remote: String(agent["id"]), server: String(server["id"]), mail };
}

/** Schedules and a trigger, with something in their logs. */
async function fillPlans({ scene, desk }: Place): Promise<Pick<Ids, "schedule" | "trigger">> {
  const { id: agent } = await createAgent(scene.api, { name: "Release writer" });
  const template = { assigned_agent_id: agent, title: "Summarise the day before", description: QUICK };
  const schedule = { ...template, name: "Morning summary", cron: "0 9 * * 1-5", time_zone: "America/New_York" };
  const id = String(fieldsOf(await desk.post("/schedules", schedule))["id"]);
  const { task_id: task } = fieldsOf(await desk.post(`/schedules/${id}/run`, {}));
  await desk.post("/schedules", { ...template, name: "Clean up", cron: "*/30 * * * *", is_active: false });
  await desk.post("/schedules", {
    ...template,
    name: "Quarterly report",
    cron: "0 9 1 */3 *",
    time_zone: "Europe/Berlin",
  });
  const made = fieldsOf(
    await desk.post("/triggers", { ...template, name: "Returned orders", title: "Handle the return" }),
  );
  const deliver = (body: string) =>
    fetch(String(made["url"]), { method: "POST", body, headers: { "content-type": "application/json" } });
  const accepted = z.object({ task_id: z.string() }).parse(await (await deliver('{"order":4711}')).json());
  for (const each of [String(task), accepted.task_id]) await taskIn(scene.api, each, "completed");
  await deliver("{");
  return { schedule: id, trigger: String(made["id"]) };
}

const SCREENS: readonly { readonly name: string; readonly path: (of: Ids) => string; readonly shows: string }[] = [
  { name: "marketplace", path: () => "/marketplace", shows: "Release notes" },
  {
    name: "marketplace-listing",
    path: ({ listing }) => `/marketplace?id=${listing}`,
    shows: "Your copy includes the prompt",
  },
  { name: "protocols", path: () => "/protocols", shows: "Translator" },
  { name: "protocols-agent", path: ({ remote }) => `/protocols?id=${remote}`, shows: "Skills" },
  { name: "protocols-account", path: ({ mail }) => `/protocols?tab=mcp&id=${mail}`, shows: "Needs a new sign-in" },
  { name: "protocols-new", path: () => "/protocols?edit=yes", shows: "Its card says what it can do." },
  { name: "protocols-mcp", path: () => "/protocols?tab=mcp", shows: "tracker" },
  { name: "protocols-mcp-server", path: ({ server }) => `/protocols?tab=mcp&id=${server}`, shows: "count" },
  { name: "protocols-published", path: () => "/protocols?tab=published", shows: "Claude Code" },
  { name: "schedules", path: () => "/schedules", shows: "Every weekday at 09:00" },
  { name: "schedules-new", path: () => "/schedules?edit=yes", shows: "GMT+1" },
  { name: "schedule", path: ({ schedule }) => `/schedules/${schedule}`, shows: "Created a task, by hand" },
  { name: "triggers", path: () => "/triggers", shows: "Returned orders" },
  { name: "triggers-new", path: () => "/triggers?edit=yes", shows: "Title of the task" },
  { name: "trigger", path: ({ trigger }) => `/triggers/${trigger}`, shows: "Rejected" },
  { name: "instance", path: () => "/instance", shows: "Enterprise" },
  { name: "instance-processes", path: () => "/instance?tab=processes", shows: "Deliveries" },
  { name: "destinations", path: () => "/destinations", shows: "23 failed in a row" },
  { name: "destinations-new", path: () => "/destinations?edit=new", shows: "Signs each request." },
  { name: "destinations-deliveries", path: () => "/destinations?tab=deliveries", shows: "HTTP 503" },
  {
    name: "destinations-no-match",
    path: () => "/destinations?tab=deliveries&status=pending",
    shows: "No delivery matches these filters",
  },
  { name: "destinations-webhooks", path: () => "/destinations?tab=webhooks", shows: "alarms" },
  { name: "destination", path: ({ failing }) => `/destinations/${failing}`, shows: "The last 23 deliveries failed." },
  {
    name: "destination-delivery",
    path: ({ failing, delivery }) => `/destinations/${failing}?delivery=${delivery}`,
    shows: "Attempt 1",
  },
];
