/** A generator of clients from an OpenAPI document. */
interface Generator {
  readonly name: string;
  /** Its command, which reads `openapi.json` and writes into a folder of its name. */
  readonly command: readonly [bin: string, ...args: string[]];
  /** Defines `create(name)`, which creates an agent, and `list()`, which lists them, by the generated client. */
  readonly program: string;
}

const CREDENTIALS = `const headers = { "X-API-Key": process.env["MUSTER_API_KEY"] ?? "" };
const url = process.env["MUSTER_URL"] ?? "";
`;

/** What every program does with its generated client. */
export const CALLS = `
const made = await create("Generated");
const listed = await list();
console.log(JSON.stringify([made, listed]));
`;

/** The generators whose clients must work. */
export const GENERATORS: readonly Generator[] = [
  {
    name: "openapi-typescript",
    // By default, it requires fields of bodies that have a default.
    command: [
      "openapi-typescript",
      "openapi.json",
      "--output=openapi-typescript/schema.ts",
      "--default-non-nullable=false",
    ],
    program: `import createClient from "openapi-fetch";
import type { paths } from "./openapi-typescript/schema.ts";
${CREDENTIALS}
const client = createClient<paths>({ baseUrl: url, headers });
const path = "/functions/v1/api-agents";
const create = async (name: string) => (await client.POST(path, { body: { name, model: "demo" } })).data;
const list = async () => (await client.GET(path)).data;
`,
  },
  {
    name: "hey-api",
    command: ["openapi-ts", "-i", "openapi.json", "-o", "hey-api", "-p", "@hey-api/client-fetch", "@hey-api/sdk"],
    program: `import { client } from "./hey-api/client.gen";
import { createAgent, listAgents } from "./hey-api/sdk.gen";
${CREDENTIALS}
client.setConfig({ baseUrl: url, headers });
const create = async (name: string) => (await createAgent({ body: { name, model: "demo" } })).data;
const list = async () => (await listAgents()).data;
`,
  },
  {
    name: "orval",
    command: ["orval", "--input", "openapi.json", "--output", "orval/client.ts", "--client", "fetch"],
    program: `import { createAgent, listAgents } from "./orval/client";
${CREDENTIALS}
// The generated URLs are relative.
const send = globalThis.fetch;
globalThis.fetch = (path, options) => send(url + String(path), options);
const create = async (name: string) => (await createAgent({ name, model: "demo" }, { headers })).data;
const list = async () => (await listAgents({}, { headers })).data;
`,
  },
  {
    name: "swagger-typescript-api",
    command: ["swagger-typescript-api", "generate", "--path", "openapi.json", "-o", "swagger-typescript-api"],
    program: `import { Api } from "./swagger-typescript-api/Api";
${CREDENTIALS}
const api = new Api({ baseUrl: url, baseApiParams: { headers } });
const create = async (name: string) => (await api.functions.createAgent({ name, model: "demo" })).data;
const list = async () => (await api.functions.listAgents()).data;
`,
  },
  {
    name: "openapi-zod-client",
    command: ["openapi-zod-client", "openapi.json", "-o", "openapi-zod-client/client.ts", "--with-alias"],
    program: `import { createApiClient } from "./openapi-zod-client/client";
${CREDENTIALS}
const api = createApiClient(url, { axiosConfig: { headers } });
const create = (name: string) => api.createAgent({ name, model: "demo" });
const list = () => api.listAgents();
`,
  },
  {
    name: "kubb",
    command: ["kubb", "generate", "--config", "kubb.config.mjs"],
    program: `import { createAgent, listAgents } from "./kubb/index";
${CREDENTIALS}
const create = (name: string) => createAgent({ name, model: "demo" }, {}, { baseURL: url, headers });
const list = () => listAgents({}, {}, { baseURL: url, headers });
`,
  },
];
