/**
 * The client that the official suite runs, once for each scenario: it registers the scenario's server in a service, lets
 * it sign in there, and calls its first tool. Given: the server's URL, and in the environment the service's URL and key.
 */
import { z } from "zod";
import { consoleOf, fieldsOf, listOf } from "../api.ts";
import { openProviderBrowser } from "../provider-browser.ts";

const MAX_SIGN_INS = 3;
const CALLBACK = "/oauth/mcp/callback";

const { MUSTER_URL: url = "", MUSTER_API_KEY: key = "", MCP_CONFORMANCE_CONTEXT: context = "{}" } = process.env;
const desk = consoleOf({ url }, key);
const client = z.object({ client_id: z.string().optional(), client_secret: z.string().optional() });
const tested = z.object({ status: z.string(), error: z.string().nullable() });

const isAboutAccounts = process.env["MCP_CONFORMANCE_SCENARIO"]?.startsWith("auth/") ?? false;
const oauth = isAboutAccounts ? { account: "workspace", ...client.parse(JSON.parse(context)) } : null;
const name = `s${process.pid}`;
const made = await desk.post("/mcp-servers", { name, url: process.argv.at(-1), oauth });
expectStatus(made, 201);
const at = `/mcp-servers/${String(fieldsOf(made)["id"])}`;
await run();

/** Calls the tool, and connects an account whenever the server asks for one. */
async function run(): Promise<void> {
  for (let signIns = 0; ; signIns++) {
    const [tool] = listOf(await desk.get(`${at}/tools`));
    if (tool !== undefined) {
      const answer = await desk.post(`${at}/test`, { tool: tool["name"], arguments: {} });
      const { status, error } = tested.parse(answer.body);
      if (status === "success") return;
      console.log(error);
    }
    const { account_status: account, last_error: reason } = fieldsOf(await desk.get(at));
    if (account === "connected" || signIns === MAX_SIGN_INS) throw new Error(`No call succeeded: ${String(reason)}`);
    await signIn();
  }
}

async function signIn(): Promise<void> {
  const begun = await desk.post(`${at}/connect`, {});
  expectStatus(begun, 200);
  const page = String(fieldsOf(begun)["url"]);
  expectStatus(
    await desk.post("/mcp-servers/finish", { url: await openProviderBrowser().follow(page, CALLBACK) }),
    200,
  );
}

function expectStatus({ status, text }: { readonly status: number; readonly text: string }, expected: number): void {
  if (status !== expected) throw new Error(`${status}: ${text}`);
}
