import { DESTINATIONS } from "#destinations/gen/registry.ts";
import { SAMPLES } from "../destinations/samples.ts";
import { answerJson, startFakeServer } from "../fake-server.ts";
import type { FakeServer } from "../fake-server.ts";
import { startRemoteAgent } from "../a2a/remote-agent.ts";
import type { RemoteAgent } from "../a2a/remote-agent.ts";
import { startOAuthMcpServer } from "../mcp/oauth-server.ts";
import type { OAuthMcpServer } from "../mcp/oauth-server.ts";
import { startOpenIdProvider } from "../open-id-provider.ts";
import type { TestOpenIdProvider } from "../open-id-provider.ts";
import { startScriptedProvider } from "../scripted-provider.ts";
import type { ScriptedProvider } from "../scripted-provider.ts";
import { ENCRYPTION_KEY, startService } from "../service.ts";
import type { TestService } from "../service.ts";
import type { PageScene } from "./run-page.ts";

/** Hosts of the pages that a fake server on loopback replaces. */
const FAKED_HOSTS = ["https://shop.example", "https://example.com", "https://client.example"];
const ORDER = { order: "4711", status: "shipped" };

/** What all pages use outside of the service: fake providers, tools and destinations on loopback. */
export interface DocsFixtures {
  readonly models: ScriptedProvider;
  readonly web: FakeServer;
  readonly remote: RemoteAgent;
  readonly provider: TestOpenIdProvider;
  readonly mail: OAuthMcpServer;
  close(): Promise<void>;
}

/** Starts what all pages share. */
export async function startDocsFixtures(): Promise<DocsFixtures> {
  const models = await startScriptedProvider((_, reply) => {
    reply.say("Because of the way the air scatters light.");
    reply.finish();
  });
  const replies = Object.values(SAMPLES).flatMap(({ reply }) => (reply === undefined ? [] : [reply]));
  const web = await startFakeServer((request, response) => {
    const reply = replies.map((one) => attempt(() => one(request))).find((one) => one !== undefined);
    answerJson(response, reply ?? ORDER);
  });
  const remote = await startRemoteAgent({ protocol: "1.0", name: "Translator" });
  const provider = await startOpenIdProvider();
  const mail = await startOAuthMcpServer();
  return {
    models,
    web,
    remote,
    provider,
    mail,
    close: async () => {
      await Promise.all([models.close(), web.close(), remote.close(), provider.close(), mail.close()]);
    },
  };
}

/** Starts the service of one page. */
export async function startPageService(around: DocsFixtures): Promise<TestService> {
  const settings = DESTINATIONS.flatMap((one) => (one.vendor === undefined ? [] : [one.vendor.setting]));
  const service = await startService({
    env: {
      ...around.provider.env,
      ALLOW_PRIVATE_URLS: "true",
      MUSTER_INIT_EMAIL: "ada@example.com",
      MUSTER_INIT_PASSWORD: "correct horse battery",
      OPENAI_API_KEY: "sk-test",
      OPENAI_BASE_URL: around.models.baseUrl,
      ...Object.fromEntries(settings.map((name) => [name, around.web.url])),
    },
  });
  around.provider.serve([service]);
  return service;
}

/** The variables that `npm start` prints, and what the pages' placeholders mean. */
export function sceneOf({ url, keys, databaseUrl, folder }: TestService, around: DocsFixtures): PageScene {
  return {
    env: {
      MUSTER_URL: url,
      MUSTER_API_KEY: keys.api,
      MUSTER_AGUI_KEY: keys.agui,
      MUSTER_A2A_KEY: keys.a2a,
      MUSTER_MCP_KEY: keys.mcp,
      MUSTER_TABLE_KEY: keys.table,
      MUSTER_ANON_KEY: keys.anon,
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEY,
      MUSTER_DATA: folder,
    },
    replacements: [
      ["http://127.0.0.1:4400", url],
      ["https://login.example.com", around.provider.issuer],
      ["https://agents.example/translator", around.remote.url],
      ["https://mail.example/mcp", around.mail.url],
      ["https://mail.example", around.mail.issuer],
      ...FAKED_HOSTS.map((host) => [host, around.web.url] as const),
      ["sk-ant-…", "sk-ant-test"],
      ["Bearer …", `Bearer ${keys.mcp}`],
      ["mst_agui_…", keys.agui],
      ["mst_a2a_…", keys.a2a],
      ["mst_mcp_…", keys.mcp],
      ["mst_…", keys.api],
    ],
  };
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
