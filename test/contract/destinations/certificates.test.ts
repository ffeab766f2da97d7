import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { Server } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate } from "selfsigned";
import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, consoleOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { createRoute, deliveriesOver, readDelivery } from "../../support/destinations/deliveries.ts";
import { startProcess } from "../../support/service.ts";
import type { TestProcess } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, createTask, taskIn } from "../../support/work.ts";

const DAY_MS = 86_400_000;

interface Certificate {
  readonly key: string;
  readonly cert: string;
}

let folder: string;
let service: TestProcess;
let api: Api;
let console_: Api;
let receiver: Server;
let url: string;
let requests = 0;
/** The service trusts all but the first; each is wrong but the last. */
let unknown: Certificate;
let ofAnother: Certificate;
let expired: Certificate;
let valid: Certificate;

beforeAll(async () => {
  unknown = await certificate("localhost", 1);
  ofAnother = await certificate("elsewhere.example", 1);
  expired = await certificate("localhost", -1);
  valid = await certificate("localhost", 1);
  folder = await mkdtemp(join(tmpdir(), "muster-roots-"));
  const roots = join(folder, "roots.pem");
  await writeFile(roots, [ofAnother, expired, valid].map(({ cert }) => cert).join("\n"));
  receiver = createServer(unknown, (_, response) => {
    requests += 1;
    response.end();
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const address = receiver.address();
  if (address === null || typeof address === "string") throw new Error("A server on loopback has a port.");
  url = `https://localhost:${address.port}/`;
  service = await startProcess({ env: { ALLOW_PRIVATE_URLS: "true", NODE_EXTRA_CA_CERTS: roots } });
  api = apiOf(service, service.keys.api);
  console_ = consoleOf(service, service.keys.api);
});
afterAll(async () => {
  await service.stop();
  receiver.closeAllConnections();
  receiver.close();
  await rm(folder, { recursive: true });
});

async function certificate(host: string, endsInDays: number): Promise<Certificate> {
  const now = Date.now();
  const { private: key, cert } = await generate([{ name: "commonName", value: host }], {
    notBeforeDate: new Date(now - 10 * DAY_MS),
    notAfterDate: new Date(now + endsInDays * DAY_MS),
    extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: host }] }],
  });
  return { key, cert };
}

for (const [fault, wrong] of [
  ["is self-signed (DEPTH_ZERO_SELF_SIGNED_CERT)", () => unknown],
  ["is for another name (ERR_TLS_CERT_ALTNAME_INVALID)", () => ofAnother],
  ["has expired (CERT_HAS_EXPIRED)", () => expired],
] as const) {
  verifies(
    "routes.delivery.certificate",
    `a certificate that ${fault} is a logged attempt, sends nothing and fails no task`,
    async () => {
      receiver.setSecureContext(wrong());
      const before = requests;
      const { id } = await createRoute(console_, url);
      const agent = await createAgent(api, { output_route_ids: [id] });
      const task = await createTask(api, { description: QUICK, assigned_agent_id: agent.id });
      const [delivery] = await deliveriesOver(console_, id);
      const error = `localhost cannot be reached: its certificate ${fault}.`;
      expect(await readDelivery(console_, delivery?.id ?? "")).toMatchObject({
        status: "failed",
        http_code: null,
        error,
        attempts: [
          { attempt: 1, status: "failed", error },
          { attempt: 2, status: "failed", error },
        ],
      });
      await taskIn(api, task.id, "completed");
      expect(requests).toBe(before);
    },
  );
}

verifies("routes.delivery.certificate", "a failed delivery is sent once the certificate is valid", async () => {
  receiver.setSecureContext(expired);
  const { id } = await createRoute(console_, url, { retry_delays: [] });
  await console_.post(`/routes/${id}/test`, {});
  const [failed] = await deliveriesOver(console_, id);
  expect(failed).toMatchObject({ status: "failed" });
  receiver.setSecureContext(valid);
  expect((await console_.post(`/deliveries/${failed?.id}/redeliver`, {})).status).toBe(201);
  expect((await deliveriesOver(console_, id, 2))[0]).toMatchObject({ error: null, status: "success", http_code: 200 });
});
