import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { Server } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate } from "selfsigned";
import { afterAll, beforeAll, expect } from "vitest";
import { ADA_ENV } from "../../support/accounts.ts";
import { consent, listTools, openAppPerson, openRequest, programAt, tokensOf } from "../../support/mcp/app-client.ts";
import type { AppPerson } from "../../support/mcp/app-client.ts";
import { startProcess, startService } from "../../support/service.ts";
import type { TestProcess } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";

let folder: string;
let vendor: Server;
let origin: string;
let service: TestProcess;
let ada: AppPerson;
/** The bodies of the vendor's paths, and how often each was fetched. */
const documents = new Map<string, string>();
const fetched: string[] = [];

beforeAll(async () => {
  const { private: key, cert } = await generate([{ name: "commonName", value: "localhost" }], {
    extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: "localhost" }] }],
  });
  folder = await mkdtemp(join(tmpdir(), "muster-documents-"));
  await writeFile(join(folder, "root.pem"), cert);
  vendor = createServer({ key, cert }, (request, response) => {
    const path = request.url ?? "";
    fetched.push(path);
    if (path === "/moved") return response.writeHead(302, { location: "/app" }).end();
    return response.setHeader("content-type", "application/json").end(documents.get(path) ?? "{}");
  }).listen(0, "127.0.0.1");
  await once(vendor, "listening");
  const address = vendor.address();
  if (address === null || typeof address === "string") throw new Error("A server on loopback has a port.");
  origin = `https://localhost:${address.port}`;
  service = await startProcess({
    env: { ...ADA_ENV, ALLOW_PRIVATE_URLS: "true", NODE_EXTRA_CA_CERTS: join(folder, "root.pem") },
  });
  ada = await openAppPerson(service);
});
afterAll(async () => {
  await service.stop();
  vendor.closeAllConnections();
  vendor.close();
  await rm(folder, { recursive: true });
});

/** Publishes a metadata document; returns the client id, its URL. */
function publish(path: string, changes: Readonly<Record<string, unknown>> = {}): string {
  const clientId = origin + path;
  const usual = { client_id: clientId, client_name: "Documented", redirect_uris: ["http://127.0.0.1/callback"] };
  documents.set(path, JSON.stringify({ ...usual, token_endpoint_auth_method: "none", ...changes }));
  return clientId;
}

verifies("mcp.oauth.documents", "a program is known by its metadata document, which is kept for a while", async () => {
  const app = programAt(service, publish("/app"));
  const back = await consent(service, ada, app.authorizeUrl());
  const tokens = tokensOf(await app.exchange(back.searchParams.get("code") ?? ""));
  expect((await listTools(service, tokens.access_token)).status).toBe(200);
  expect(tokensOf(await app.refresh(tokens.refresh_token)).scope).toBe("read write");
  expect(fetched.filter((path) => path === "/app")).toHaveLength(1);
});

verifies(
  "mcp.oauth.documents.refused",
  "a document that is wrong, too large or elsewhere counts for nothing",
  async () => {
    const refused = [
      publish("/other", { client_id: "https://elsewhere.example/app" }),
      publish("/secret", { client_secret: "shared" }),
      publish("/web", { redirect_uris: ["http://example.org/callback"] }),
      publish("/large", { client_uri: `https://example.org/${"x".repeat(300_000)}` }),
      `${origin}/moved`,
      `${origin}/missing`,
      "https://localhost:1/app",
      "http://localhost/app",
    ];
    for (const clientId of refused) {
      const page = await ada.browser.visit(programAt(service, clientId).authorizeUrl());
      expect([page.status, page.location], clientId).toEqual([400, undefined]);
    }
    expect(fetched.filter((path) => path === "/app")).toHaveLength(1);
    await expect(openRequest(ada, programAt(service, publish("/late")).authorizeUrl())).resolves.toMatch(/./);
  },
);

verifies(
  "mcp.oauth.documents.guard",
  "documents at private addresses are not fetched, unless the operator allows it",
  async () => {
    const guarded = await startService({ env: ADA_ENV });
    try {
      const before = fetched.length;
      const person = await openAppPerson(guarded);
      for (const clientId of [publish("/private"), "https://169.254.169.254/app", "https://[::1]/app"]) {
        const page = await person.browser.visit(programAt(guarded, clientId).authorizeUrl());
        expect([page.status, page.location], clientId).toEqual([400, undefined]);
      }
      expect(fetched).toHaveLength(before);
    } finally {
      await guarded.stop();
    }
  },
);
