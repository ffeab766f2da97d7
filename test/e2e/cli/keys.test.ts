import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, send } from "../../support/api.ts";
import { environmentOf, runMuster } from "../../support/muster.ts";
import type { Ended } from "../../support/muster.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { addKey } from "../../support/workspace.ts";

let service: SharedService;

beforeAll(async () => {
  service = await useSharedService();
});

function muster(...args: readonly string[]): Promise<Ended> {
  return runMuster(args, { env: environmentOf(service) });
}

/** Runs a command that must succeed; returns its standard output without the last end of line. */
async function succeed(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await muster(...args);
  expect({ args, code, stderr }).toMatchObject({ code: 0 });
  return stdout.trimEnd();
}

async function statusOf(key: string): Promise<number> {
  return (await apiOf(service, key).get("/api-me")).status;
}

const json = z.looseObject({ id: z.string(), key: z.string(), kind: z.string(), scopes: z.array(z.string()) });

verifies("cli.keys", "keys are created, listed, rotated and revoked", async () => {
  const key = await succeed("keys", "create", "--label", "For CI", "--scopes", "read");
  expect(key).toMatch(/^mst_[0-9A-Za-z]{49}$/);
  expect(await statusOf(key)).toBe(200);
  await succeed("keys", "create", "--label", "Short", "--expires", "1d");
  const lists = z.array(
    z.looseObject({ label: z.string(), created_at: z.string(), expires_at: z.string().nullable() }),
  );
  const short = lists.parse(JSON.parse(await succeed("keys", "list", "--json"))).find(({ label }) => label === "Short");
  expect(Math.round((Date.parse(short?.expires_at ?? "") - Date.parse(short?.created_at ?? "")) / 3_600_000)).toBe(24);
  const listed = (await succeed("keys", "list")).split("\n");
  expect(listed[0]).toMatch(/^ID +KEY +LABEL +KIND +SCOPES +LIMITS +LAST USED +ENDS +REPLACED BY$/);
  expect((await muster("keys", "list", "--limit", "1")).stderr).toBe("Showing 1; use --limit for more.\n");
  const line = listed.find((one) => one.includes("For CI")) ?? "";
  expect(line).toContain(`${key.slice(0, 12)}…`);
  const [id = ""] = line.split(" ");
  const fresh = json.parse(JSON.parse(await succeed("keys", "rotate", id, "--overlap", "0", "--json")));
  expect(fresh).toMatchObject({ label: "For CI", kind: "envelope", scopes: ["read"] });
  expect([await statusOf(key), await statusOf(fresh.key)]).toEqual([401, 200]);
  expect(await succeed("keys", "list")).toMatch(new RegExp(`^${id} .* ${fresh.id}$`, "m"));
  expect(await succeed("keys", "revoke", fresh.id, "--yes")).toBe(`Revoked key ${fresh.id}`);
  expect(await statusOf(fresh.key)).toBe(401);
  const { code, stderr } = await muster("keys", "revoke", fresh.id, "--yes");
  expect([code, stderr]).toEqual([1, expect.stringContaining("Key not found")]);
});

verifies("cli.keys", "a wrong kind or time is rejected with the field", async () => {
  for (const [wrong, field, exitCode] of [
    [["--kind", "root"], "kind", 2],
    [["--expires", "soon"], "--expires must be a time", 2],
  ] as const) {
    const { code, stdout, stderr } = await muster("keys", "create", "--label", "X", ...wrong);
    expect([code, stdout, stderr]).toEqual([exitCode, "", expect.stringContaining(field)]);
  }
});

verifies("cli.service-accounts", "a service account is created, given a key, changed and removed", async () => {
  const made = json.omit({ key: true, kind: true, scopes: true });
  const { id } = made.parse(JSON.parse(await succeed("service-accounts", "create", "--name", "Deploys", "--json")));
  const key = await succeed("keys", "create", "--service-account", "Deploys", "--label", "Of Deploys");
  expect(await statusOf(key)).toBe(200);
  expect(await succeed("service-accounts", "update", "Deploys", "--name", "Releases", "--role", "viewer")).toContain(
    id,
  );
  expect(await succeed("service-accounts", "list")).toMatch(new RegExp(`^${id} +Releases +viewer `, "m"));
  expect((await muster("service-accounts", "update", id)).stderr).toContain("Name at least one field to change.");
  await succeed("service-accounts", "remove", "Releases", "--yes");
  expect(await statusOf(key)).toBe(401);
});

verifies("cli.members", "a person is invited, listed and removed", async () => {
  const email = "guest@localhost.localdomain";
  const link = await succeed("members", "invite", email, "--role", "viewer");
  const token = new URL(link).searchParams.get("token");
  const body = { token, password: "correct horse", name: "Guest" };
  expect((await send("POST", `${service.url}/auth/invitations/accept`, { body })).status).toBe(201);
  const listed = (await succeed("members", "list")).split("\n");
  expect(listed[0]).toMatch(/^USER ID +EMAIL +NAME +ROLE +SINCE$/);
  expect((await muster("members", "list", "--limit", "1")).stderr).toBe("Showing 1; use --limit for more.\n");
  const line = listed.find((one) => one.includes(email)) ?? "";
  expect(line).toMatch(/ Guest +viewer /);
  const [id = ""] = line.split(" ");
  await addKey(service.databaseUrl, { workspaceId: service.workspaceId, ownerId: id });
  const asked = await muster("members", "remove", id);
  expect([asked.code, asked.stdout]).toEqual([2, ""]);
  expect(asked.stderr).toMatch(
    /Nothing was changed: without a terminal, add --yes\.\n.*\nEnds: envelope key mst_\w+… \(Test key\)/,
  );
  expect(await succeed("members", "remove", id, "--yes")).toBe(`Removed member ${id}`);
  expect(await succeed("members", "list")).not.toContain(email);
  const [, owner = ""] = /^(\S+) .* owner /m.exec(await succeed("members", "list")) ?? [];
  const { code, stderr } = await muster("members", "remove", owner, "--yes");
  expect([code, stderr]).toEqual([1, expect.stringContaining("last owner")]);
});
