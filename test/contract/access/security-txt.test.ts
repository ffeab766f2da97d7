import { expect } from "vitest";
import { send } from "../../support/api.ts";
import { freePort } from "../../support/free-port.ts";
import { startService } from "../../support/service.ts";
import { useSharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";

const PATH = "/.well-known/security.txt";
const YEAR_MS = 365 * 86_400_000;

verifies("hardening.security-txt", "the operator's contact is published, and expires within a year", async () => {
  const SECURITY_CONTACT = "mailto:security@example.org";
  const PORT = String(await freePort());
  const service = await startService({ env: { SECURITY_CONTACT, PORT, PUBLIC_URL: "https://muster.example" } });
  const { status, headers, text } = await send("GET", `http://127.0.0.1:${PORT}${PATH}`);
  await service.stop();
  expect([status, headers.get("Content-Type")]).toEqual([200, "text/plain; charset=UTF-8"]);
  const [, expires = ""] = /^Expires: (\S+)$/m.exec(text) ?? [];
  expect(text).toBe(`Contact: ${SECURITY_CONTACT}\nExpires: ${expires}\nCanonical: https://muster.example${PATH}\n`);
  const left = Date.parse(expires) - Date.now();
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(YEAR_MS);
});

verifies("hardening.security-txt", "without a contact there is no such file", async () => {
  const service = await useSharedService();
  expect((await send("GET", service.url + PATH)).status).toBe(404);
});
