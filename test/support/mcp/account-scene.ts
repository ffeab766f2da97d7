import { z } from "zod";
import { ADA_ENV, bearer, postAuth, signIn } from "../accounts.ts";
import type { TestSession } from "../accounts.ts";
import { fieldsOf, send } from "../api.ts";
import type { Answer, Api, Sent } from "../api.ts";
import { eventually } from "../eventually.ts";
import { readToEnd } from "../sse-client.ts";
import { orderOf } from "../tool-calls.ts";
import { ofType } from "../valid-stream.ts";
import { createAgent } from "../work.ts";
import { openProviderBrowser } from "../provider-browser.ts";
import type { ProviderBrowser } from "../provider-browser.ts";
import { startScriptedService } from "../providers/scripted-agents.ts";
import type { ScriptedService } from "../providers/scripted-agents.ts";
import { startOAuthMcpServer } from "./oauth-server.ts";
import type { OAuthMcpServer } from "./oauth-server.ts";

/** A person who is signed in, with a browser. */
export interface SignedInPerson {
  readonly session: TestSession;
  readonly browser: ProviderBrowser;
  /** Requests below /console/api. */
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  patch(path: string, body: unknown): Promise<Answer>;
  /** Creates a task, as the console does. */
  startTask(body: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

/** A service with two people, and an MCP server to which they sign in. */
export interface AccountScene extends ScriptedService {
  readonly server: OAuthMcpServer;
  readonly ada: SignedInPerson;
  readonly ben: SignedInPerson;
  /** Registers the server under a name of its own. */
  register(oauth: Readonly<Record<string, unknown>>): Promise<{ readonly id: string; readonly name: string }>;
  /** Begins a sign-in; returns the authorization server's page. */
  begin(person: SignedInPerson, id: string, browser?: ProviderBrowser): Promise<string>;
  /** An agent with the tool of a server. */
  agentOf(name: string, fields?: Readonly<Record<string, unknown>>): Promise<string>;
  /** Starts a task in which an agent calls the tool once; by default the first agent of the server. */
  start(
    caller: SignedInPerson | Api,
    agentId: string,
    call: { readonly name: string; readonly text: string },
  ): Promise<string>;
  /** Waits for the end of a task; returns the result of its call. */
  resultOf(agentId: string, taskId: string): Promise<string>;
  /** Waits for the open question of a task. */
  questionOf(taskId: string): Promise<{ readonly id: string; readonly text: string }>;
  /** Goes the whole way through the person's browser; returns the last answer of the service. */
  connect(
    person: SignedInPerson,
    id: string,
  ): Promise<{ readonly status: number; readonly text: string; readonly location: string | undefined }>;
  close(): Promise<void>;
}

const questions = z.object({
  items: z.array(
    z.looseObject({ id: z.string(), request: z.looseObject({ title: z.string(), description: z.string() }) }),
  ),
});
const CALLBACK = "/oauth/mcp/callback";

/** The settings of its service. */
export const ACCOUNT_ENV = { ...ADA_ENV, ALLOW_PRIVATE_URLS: "true" } as const;

/** Opens it. @param env more settings of its service */
export async function openAccountScene(env: Readonly<Record<string, string>> = {}): Promise<AccountScene> {
  const server = await startOAuthMcpServer();
  const scripted = await startScriptedService({ ...ACCOUNT_ENV, ...env });
  const { service, api } = scripted;
  const ada = personOf(service, await signIn(service));
  const ben = personOf(service, await invite(ada, service));
  let registered = 0;
  return {
    ...scripted,
    server,
    ada,
    ben,
    async register(oauth) {
      const name = `personal-${(registered += 1)}`;
      const made = await ada.post("/mcp-servers", { name, url: server.url, oauth });
      if (made.status !== 201) throw new Error(`The server was rejected with ${made.status}: ${made.text}`);
      return { id: String(fieldsOf(made)["id"]), name };
    },
    begin,
    async agentOf(name, fields = {}) {
      return (await createAgent(api, { tools: [`mcp:${name}/whoami`], ...fields })).id;
    },
    async start(caller, agentId, { name, text }) {
      const body = { title: "Work", assigned_agent_id: agentId, description: orderOf(`${name}--whoami`, { text }) };
      const made = "session" in caller ? await caller.startTask(body) : await caller.post("/api-tasks", body);
      if (made.status !== 201) throw new Error(`The task was rejected with ${made.status}: ${made.text}`);
      return String(fieldsOf(made)["id"]);
    },
    async resultOf(agentId, taskId) {
      const [end] = ofType(await readToEnd(service, { agentId, taskId }), "TOOL_CALL_END");
      return String(end?.["result"]);
    },
    async questionOf(taskId) {
      const asked = await eventually(`the task ${taskId} asks`, async () => {
        const page = questions.parse((await ada.get(`/questions?run_id=${taskId}&state=open`)).body);
        return page.items[0];
      });
      return { id: asked.id, text: `${asked.request.title} ${asked.request.description}` };
    },
    async connect(person, id) {
      // One that nobody is signed in to the authorization server with.
      const browser = openProviderBrowser();
      const back = await browser.follow(await begin(person, id, browser), CALLBACK);
      return browser.visit(back);
    },
    async close() {
      await scripted.stop();
      await server.close();
    },
  };

  async function begin({ session, browser: own }: SignedInPerson, id: string, browser = own): Promise<string> {
    const answer = await fetch(`${service.url}/console/api/mcp-servers/${id}/connect`, {
      method: "POST",
      headers: bearer(session.access_token),
    });
    browser.keep(service.url, answer);
    if (answer.status !== 200)
      throw new Error(`The sign-in was rejected with ${answer.status}: ${await answer.text()}`);
    return z.object({ url: z.string() }).parse(await answer.json()).url;
  }
}

function personOf(service: { readonly url: string }, session: TestSession): SignedInPerson {
  const call = (method: string, path: string, sent: Sent = {}) =>
    send(method, `${service.url}/console/api${path}`, { ...sent, headers: bearer(session.access_token) });
  return {
    session,
    browser: openProviderBrowser(),
    startTask: (body) =>
      send("POST", `${service.url}/functions/v1/api-tasks`, { body, headers: bearer(session.access_token) }),
    get: (path) => call("GET", path),
    post: (path, body = {}) => call("POST", path, { body }),
    patch: (path, body) => call("PATCH", path, { body }),
    delete: (path) => call("DELETE", path),
  };
}

/** Another member of the same workspace. */
async function invite(ada: SignedInPerson, service: { readonly url: string }): Promise<TestSession> {
  const ben = { email: "ben@example.org", password: "another horse battery" };
  const invited = await ada.post("/invitations", { email: ben.email, role: "member" });
  const { token } = z.object({ token: z.string() }).parse(invited.body);
  await postAuth(service, "invitations/accept", { token, password: ben.password, name: "Ben" });
  return signIn(service, ben);
}
