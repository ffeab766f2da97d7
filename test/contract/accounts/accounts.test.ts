import { mkdtemp, readFile, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { verifyPassword } from "#lib/security/password.ts";
import { createSecretBox } from "#lib/security/secret-box.ts";
import { providerKeyContext } from "#operations/access/provider-keys.ts";
import { apiOf, fieldsOf, refusal, send } from "../../support/api.ts";
import { createDatabase, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

const PHC = /^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$[\w+/]+\$[\w+/]+$/;
const SECRET = "sk-test-0123456789";

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createDatabase();
  folder = await mkdtemp(join(tmpdir(), "muster-accounts-"));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

async function withService(
  env: Readonly<Record<string, string>>,
  run: (service: TestService) => Promise<void>,
  databaseUrl?: string,
): Promise<void> {
  const service = await startService({ env, ...(databaseUrl !== undefined && { databaseUrl }) });
  try {
    await run(service);
  } finally {
    await service.stop();
  }
}

async function passwordHash({ databaseUrl }: TestService): Promise<string> {
  const [row] = await sql<{ password_hash: string }>(databaseUrl, "select password_hash from users");
  return row?.password_hash ?? "";
}

verifies("accounts.plan.default", "the first workspace starts on the enterprise plan", async () => {
  await withService({}, async (service) => {
    const me = fieldsOf(await apiOf(service, service.keys.api).get("/api-me"));
    expect(me["plan"]).toBe("enterprise");
  });
});

verifies(
  ["accounts.password-hash", "accounts.plan.setting"],
  "a password given at the start is stored as its argon2id hash alone, and a plan as given",
  async () => {
    const env = { MUSTER_INIT_EMAIL: "ada@example.org", MUSTER_INIT_PASSWORD: "correct horse battery" };
    await withService({ ...env, DEFAULT_PLAN: "pro" }, async (service) => {
      const hash = await passwordHash(service);
      expect(hash).toMatch(PHC);
      expect(await verifyPassword("correct horse battery", hash)).toBe(true);
      expect(await verifyPassword("correct horse batterY", hash)).toBe(false);
      expect(service.output().stdout).not.toContain("/auth/setup");
      const me = fieldsOf(await apiOf(service, service.keys.api).get("/api-me"));
      expect(me).toMatchObject({ plan: "pro", email: "ada@example.org" });
    });
  },
  { tags: "slow" },
);

verifies("accounts.plan.setting", "a plan that does not exist stops the start with the allowed ones", async () => {
  const start = startService({ env: { DEFAULT_PLAN: "gold" } });
  await expect(start).rejects.toThrow(/DEFAULT_PLAN.*free.*pro.*team.*enterprise/);
});

verifies(
  "accounts.password-hash",
  "a password set by the set-up link is hashed too; the link works once",
  async () => {
    await withService({}, async (service) => {
      const [, token = ""] = /\/auth\/setup\?token=(\S+)/.exec(service.output().stdout) ?? [];
      const url = `${service.url}/auth/setup`;
      const body = { token, email: "grace@example.org", password: "a long password", name: "Grace" };
      expect((await send("GET", `${url}?token=${token}`)).body).toMatchObject({ status: "open" });
      expect(refusal(await send("POST", url, { body: { ...body, token: `${token}x` } })).status).toBe(404);
      expect(refusal(await send("POST", url, { body: { ...body, password: "short" } })).paths).toEqual(["password"]);
      expect((await send("POST", url, { body })).status).toBe(201);
      expect(refusal(await send("POST", url, { body })).status).toBe(404);
      const hash = await passwordHash(service);
      expect(hash).toMatch(PHC);
      expect(await verifyPassword("a long password", hash)).toBe(true);
      expect(JSON.stringify(await sql(service.databaseUrl, "select * from users"))).not.toContain("a long password");
      const me = fieldsOf(await apiOf(service, service.keys.api).get("/api-me"));
      expect(me).toMatchObject({ email: "grace@example.org", name: "Grace" });
    });
  },
  { tags: "slow" },
);

/** Stores a provider's key and opens it again from the database with this encryption key. */
async function opened(service: TestService, encryptionKey: string): Promise<string> {
  const headers = { "x-api-key": service.keys.api };
  const url = `${service.url}/console/api/provider-keys/openai`;
  expect((await send("PUT", url, { headers, body: { api_key: SECRET } })).status).toBe(200);
  const [row] = await sql<{ workspace_id: string; ciphertext: string }>(
    service.databaseUrl,
    "select workspace_id, ciphertext from provider_keys",
  );
  const box = createSecretBox(Buffer.from(encryptionKey, "base64"));
  return box.open(row?.ciphertext ?? "", providerKeyContext(row?.workspace_id ?? "", "openai"));
}

verifies("accounts.encryption-key.given", "a configured encryption key is used, and none is created", async () => {
  const given = Buffer.alloc(32, 42).toString("base64");
  const data = join(folder, "given");
  await withService({ ENCRYPTION_KEY: given, MUSTER_DATA: data }, async (service) => {
    expect(await opened(service, given)).toBe(SECRET);
    expect(await readdir(data).catch(() => [])).not.toContain("encryption.key");
  });
});

verifies(
  ["accounts.encryption-key.made", "accounts.encryption-key.fingerprint"],
  "without one a key is created that only its owner reads; it is kept, and its fingerprint checked",
  async () => {
    const env = { ENCRYPTION_KEY: "", MUSTER_DATA: join(folder, "made") };
    const file = join(env.MUSTER_DATA, "encryption.key");
    await withService(
      env,
      async (service) => {
        expect((await stat(file)).mode & 0o777).toBe(0o600);
        const made = await readFile(file, "utf8");
        expect(Buffer.from(made, "base64")).toHaveLength(32);
        expect(await opened(service, made)).toBe(SECRET);
        const [row] = await sql<{ value: string }>(
          database.url,
          "select value from instance_settings where key = 'encryption_key_fingerprint'",
        );
        expect(row?.value).toBe(createSecretBox(Buffer.from(made, "base64")).fingerprint);
      },
      database.url,
    );
    const before = await readFile(file, "utf8");
    await withService(env, async () => expect(await readFile(file, "utf8")).toBe(before), database.url);
    const other = startService({ databaseUrl: database.url, env: { ENCRYPTION_KEY: "", MUSTER_DATA: `${folder}/b` } });
    await expect(other).rejects.toThrow(/no encryption key, but this database has one.*ENCRYPTION_KEY/is);
  },
  { tags: "slow" },
);

for (const key of ["short", "0".repeat(63), Buffer.alloc(31).toString("base64")]) {
  verifies("accounts.encryption-key.given", `the encryption key "${key}" stops the start`, async () => {
    await expect(startService({ env: { ENCRYPTION_KEY: key } })).rejects.toThrow(/ENCRYPTION_KEY must hold 32 bytes/);
  });
}
