import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect } from "vitest";
import { fieldsOf, refusal } from "../../support/api.ts";
import { answerJson, startFakeServer } from "../../support/fake-server.ts";
import type { FakeServer, SeenRequest } from "../../support/fake-server.ts";
import { openAccountScene } from "../../support/mcp/account-scene.ts";
import type { AccountScene } from "../../support/mcp/account-scene.ts";
import { verifies } from "../../support/verifies.ts";

/** Blocked always, unlike loopback. */
const LINK_LOCAL = "https://169.254.169.254/latest";

/** What the authorization server says beside, or instead of, what is right. */
interface Lies {
  readonly metadata?: object;
  token?(response: ServerResponse, code: string): void;
}

let scene: AccountScene;
let server: FakeServer;
let elsewhere: FakeServer;
let lies: Lies = {};
let id: string;

beforeAll(async () => {
  scene = await openAccountScene();
  server = await startFakeServer(answer);
  elsewhere = await startFakeServer((_, response) => answerJson(response, { access_token: "x", token_type: "Bearer" }));
  const fields = { name: "hostile", url: `${server.url}/mcp`, oauth: { account: "workspace" } };
  id = String(fieldsOf(await scene.ada.post("/mcp-servers", fields))["id"]);
});
afterAll(async () => {
  await scene.close();
  await Promise.all([server.close(), elsewhere.close()]);
});

function answer({ path, body }: SeenRequest, response: ServerResponse): void {
  const issuer = server.url;
  if (path === "/mcp") {
    const challenge = `Bearer resource_metadata="${issuer}/resource"`;
    return void response.writeHead(401, { "www-authenticate": challenge }).end();
  }
  if (path === "/resource") return answerJson(response, { resource: `${issuer}/mcp`, authorization_servers: [issuer] });
  if (path.startsWith("/.well-known/oauth-authorization-server"))
    return answerJson(response, {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      registration_endpoint: `${issuer}/register`,
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none"],
      ...lies.metadata,
    });
  if (path === "/register") return answerJson(response, { ...Object(JSON.parse(body)), client_id: "c" }, 201);
  if (path === "/token" && lies.token !== undefined)
    return lies.token(response, new URLSearchParams(body).get("code") ?? "");
  response.writeHead(404).end();
}

/** Begins a sign-in, and finishes it with a code. */
async function signIn(next: Lies) {
  lies = next;
  const begun = await scene.ada.post(`/mcp-servers/${id}/connect`);
  if (begun.status !== 200) return refusal(begun);
  const page = new URL(String(fieldsOf(begun)["url"]));
  const url = new URL(page.searchParams.get("redirect_uri") ?? "");
  url.search = new URLSearchParams({
    state: page.searchParams.get("state") ?? "",
    code: "secret-code-4711",
  }).toString();
  return refusal(await scene.ada.post("/mcp-servers/finish", { url: url.href }));
}

verifies("mcp.account.hostile", "no request of a sign-in goes where no request of a workspace may go", async () => {
  for (const endpoint of ["token_endpoint", "registration_endpoint"]) {
    const refused = await signIn({ metadata: { [endpoint]: LINK_LOCAL } });
    expect(refused).toMatchObject({ status: 400, message: expect.stringMatching(/169\.254\.169\.254/) });
  }
});

verifies("mcp.account.hostile", "a code is sent to the token endpoint only, whatever that answers", async () => {
  const redirect = (response: ServerResponse) => response.writeHead(307, { location: `${elsewhere.url}/token` }).end();
  expect(await signIn({ token: redirect })).toMatchObject({ status: 400 });
  expect(elsewhere.seen).toEqual([]);
});

verifies("mcp.account.hostile", "metadata of another issuer and pages that are no pages are rejected", async () => {
  const wrong = await signIn({ metadata: { issuer: "https://honest.example" } });
  expect(wrong).toMatchObject({ status: 400, message: expect.stringContaining("names another issuer") });
  for (const page of ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "vscode://x/y"]) {
    expect(await signIn({ metadata: { authorization_endpoint: page } }), page).toMatchObject({ status: 400 });
  }
});

verifies(
  "mcp.account.hostile",
  "what a token endpoint answers is bounded, and its words are not repeated",
  async () => {
    const large = await signIn({ token: (response) => answerJson(response, { error: "x".repeat(1_048_576) }, 400) });
    expect(large).toMatchObject({ status: 400, message: expect.stringContaining("256 KiB") });
    const echo = await signIn({ token: (response, code) => answerJson(response, { error: `bad ${code}` }, 400) });
    expect(echo).toMatchObject({ status: 400, message: expect.stringContaining("an unknown error") });
  },
);
