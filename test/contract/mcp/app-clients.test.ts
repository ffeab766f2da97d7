import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import type { OAuthClientProvider } from "@modelcontextprotocol/client";
import { UnauthorizedError as UnauthorizedV1 } from "@modelcontextprotocol/sdk/client/auth.js";
import type { OAuthClientProvider as ProviderV1 } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { ADA_ENV } from "../../support/accounts.ts";
import { apiOf } from "../../support/api.ts";
import { consent, openAppPerson, openRequest, readRequest } from "../../support/mcp/app-client.ts";
import type { AppPerson } from "../../support/mcp/app-client.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

let service: TestService;
let ada: AppPerson;

beforeAll(async () => {
  service = await startService({ env: ADA_ENV });
  ada = await openAppPerson(service);
  await createAgent(apiOf(service, service.keys.api), { name: "Helper", model: "demo", is_mcp_published: true });
});
afterAll(() => service.stop());

/** What programs of these vendors register, and what the person sees of it. */
const PROGRAMS = [
  { name: "Claude", uris: ["https://claude.ai/api/mcp/auth_callback"], shown: "claude.ai" },
  { name: "Claude Code", uris: ["http://localhost:3118/callback"], shown: "this computer" },
  { name: "ChatGPT", uris: ["https://chatgpt.com/connector_platform_oauth_redirect"], shown: "chatgpt.com" },
  { name: "VS Code", uris: ["http://127.0.0.1:33418/", "https://vscode.dev/redirect"], shown: "this computer" },
  { name: "Cursor", uris: ["cursor://anysphere.cursor-mcp/oauth/callback"], shown: "cursor://" },
  { name: "MCP Inspector", uris: ["http://localhost:6274/oauth/callback"], shown: "this computer" },
] as const;
type Program = (typeof PROGRAMS)[number];

/** What an official client keeps for one program, and the page that it opens. */
class ProgramStore<Tokens, Registered, Discovered> {
  readonly #program: Program;
  #registered: Registered | undefined;
  #tokens: Tokens | undefined;
  #discovered: Discovered | undefined;
  #verifier = "";
  opened = "";

  constructor(program: Program) {
    this.#program = program;
  }

  get redirectUrl() {
    return this.#program.uris[0];
  }
  get clientMetadata() {
    return { client_name: this.#program.name, redirect_uris: [...this.#program.uris] };
  }
  state = () => "state-of-the-program";
  clientInformation = () => this.#registered;
  saveClientInformation = (registered: Registered) => void (this.#registered = registered);
  tokens = () => this.#tokens;
  saveTokens = (tokens: Tokens) => void (this.#tokens = tokens);
  discoveryState = () => this.#discovered;
  saveDiscoveryState = (discovered: Discovered) => void (this.#discovered = discovered);
  redirectToAuthorization = (url: URL) => void (this.opened = url.href);
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  codeVerifier = () => this.#verifier;
}

type Saved<Save extends ((...given: never[]) => unknown) | undefined> = Parameters<NonNullable<Save>>[0];
type Registered<Provider extends { clientInformation: () => unknown }> = NonNullable<
  Awaited<ReturnType<Provider["clientInformation"]>>
>;

/** A program with the official client of today. */
function installToday(program: Program) {
  const authProvider = new ProgramStore<
    Saved<OAuthClientProvider["saveTokens"]>,
    Registered<OAuthClientProvider>,
    Saved<OAuthClientProvider["saveDiscoveryState"]>
  >(program);
  const connect = () => {
    const transport = new StreamableHTTPClientTransport(new URL("/mcp", service.url), { authProvider });
    return { transport, client: new Client({ name: program.name, version: "1" }) };
  };
  return { authProvider, connect };
}

describe.each(PROGRAMS)("$name", (program) => {
  verifies("mcp.oauth.clients", "connects by the URL alone, with the official client of today", async () => {
    const { authProvider, connect } = installToday(program);
    const first = connect();
    await expect(first.client.connect(first.transport)).rejects.toThrow(UnauthorizedError);
    const request = await readRequest(service, ada, await openRequest(ada, authProvider.opened));
    expect(request.body).toMatchObject({ client: { name: program.name, redirect_host: program.shown } });
    const back = await consent(service, ada, authProvider.opened);
    expect(back.href.startsWith(program.uris[0])).toBe(true);
    expect(back.searchParams.get("state")).toBe("state-of-the-program");
    await first.transport.finishAuth(back.searchParams);
    const { client, transport } = connect();
    await client.connect(transport);
    expect((await client.listTools()).tools).toMatchObject([{ name: "helper" }]);
    await client.close();
  });

  verifies("mcp.oauth.clients.earlier", "connects by the URL alone, with the official client of before", async () => {
    const authProvider = new ProgramStore<
      Saved<ProviderV1["saveTokens"]>,
      Registered<ProviderV1>,
      Saved<ProviderV1["saveDiscoveryState"]>
    >(program);
    const connect = () => {
      const transport = new TransportV1(new URL("/mcp", service.url), { authProvider });
      return { transport, client: new ClientV1({ name: program.name, version: "1" }) };
    };
    const first = connect();
    await expect(first.client.connect(first.transport)).rejects.toThrow(UnauthorizedV1);
    const back = await consent(service, ada, authProvider.opened);
    await first.transport.finishAuth(back.searchParams.get("code") ?? "");
    const { client, transport } = connect();
    await client.connect(transport);
    const answer = await client.callTool({ name: "helper", arguments: { message: "Hello" } });
    expect(JSON.stringify(answer.content)).toContain("Demo model");
    await client.close();
  });
});

verifies("mcp.oauth.step-up", "a program that may only read asks its person for more when it calls", async () => {
  const { authProvider, connect } = installToday(PROGRAMS[0]);
  const first = connect();
  await expect(first.client.connect(first.transport)).rejects.toThrow(UnauthorizedError);
  const reading = await consent(service, ada, authProvider.opened, { scopes: ["read"] });
  await first.transport.finishAuth(reading.searchParams);
  const { client, transport } = connect();
  await client.connect(transport);
  const call = { name: "helper", arguments: { message: "Hello" } };
  await expect(client.callTool(call)).rejects.toThrow(UnauthorizedError);
  await transport.finishAuth((await consent(service, ada, authProvider.opened)).searchParams);
  expect(JSON.stringify((await client.callTool(call)).content)).toContain("Demo model");
  await client.close();
});
