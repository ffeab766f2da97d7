import { afterAll, beforeAll, expect } from "vitest";
import { newId } from "#lib/ids.ts";
import { bearer, postAuth, sessionOf, signIn } from "../../support/accounts.ts";
import type { TestSession } from "../../support/accounts.ts";
import { apiOf, fieldsOf, refusal, send } from "../../support/api.ts";
import type { Sent } from "../../support/api.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { createTeam, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask } from "../../support/work.ts";
import { addKey, addWorkspace, sql } from "../../support/workspace.ts";

const PASSWORD = "a long password";
const PERSON_LIMIT = 40;

let service: TestService;

beforeAll(async () => {
  service = await startService({
    env: {
      SIGN_UP: "open",
      DEFAULT_PLAN: "free",
      RATE_LIMIT_FREE: "30",
      SERVICE_NAME: "Garden",
      RATE_LIMIT_PERSON: String(PERSON_LIMIT),
    },
  });
});
afterAll(() => service.stop());

async function signUp(fields: Readonly<Record<string, unknown>> = {}): Promise<TestSession> {
  const person = { email: `${newId()}@example.org`, password: PASSWORD, ...fields };
  return sessionOf(await postAuth(service, "sign-up", person));
}

function auth(method: string, path: string, session?: TestSession, body?: unknown) {
  const headers = session === undefined ? {} : bearer(session.access_token);
  return send(method, `${service.url}/auth/${path}`, { headers, ...(body !== undefined && { body }) });
}

verifies("console.options.public", "the options of the sign-in page need no session", async () => {
  const options = fieldsOf(await auth("GET", "options"));
  expect(options).toEqual({
    service_name: "Garden",
    sign_up: "open",
    provider: null,
    password_sign_in: "on",
    sends_mail: false,
    setup_open: true,
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    build: expect.toSatisfy((build: unknown) => build === null || typeof build === "string"),
  });
  const [, token] = /\/auth\/setup\?token=(\S+)/.exec(service.output().stdout) ?? [];
  const owner = { token, email: `${newId()}@example.org`, password: PASSWORD };
  expect((await postAuth(service, "setup", owner)).status).toBe(201);
  expect(fieldsOf(await auth("GET", "options"))["setup_open"]).toBe(false);
});

verifies(
  ["console.me.read", "console.me.email"],
  "a person changes their name, and the address with the password",
  async () => {
    const person = await signUp({ name: "Ada" });
    const before = fieldsOf(await auth("GET", "me", person));
    expect(before).toMatchObject({ name: "Ada", workspaces: [{ id: person.workspace_id, slug: expect.any(String) }] });
    expect(fieldsOf(await auth("PATCH", "me", person, { ...before, name: " Ada L. " }))["name"]).toBe("Ada L.");

    const email = `${newId()}@example.org`;
    expect(refusal(await auth("PATCH", "me", person, { email }))).toMatchObject({
      status: 400,
      paths: ["current_password"],
    });
    const wrong = await auth("PATCH", "me", person, { email, current_password: "wrong" });
    expect(refusal(wrong).status).toBe(403);
    expect((await auth("PATCH", "me", person, { email, current_password: PASSWORD })).status).toBe(200);
    expect((await signIn(service, { email, password: PASSWORD })).user.id).toBe(person.user.id);

    const other = await signUp();
    const taken = { email: email.toUpperCase(), current_password: PASSWORD };
    expect(refusal(await auth("PATCH", "me", other, taken)).status).toBe(409);
    for (const body of [{}, { name: "" }, { name: "x".repeat(101) }, { email: "no address" }, { role: "owner" }]) {
      expect([body, refusal(await auth("PATCH", "me", other, body)).status]).toEqual([body, 400]);
    }
  },
);

verifies("console.me.people-only", "a key has no profile", async () => {
  const credentials: NonNullable<Sent["headers"]>[] = [{}, bearer(service.keys.api), { "x-api-key": service.keys.api }];
  for (const path of ["me", "locate?id=x"]) {
    for (const headers of credentials) {
      expect(refusal(await send("GET", `${service.url}/auth/${path}`, { headers })).status).toBe(401);
    }
  }
});

verifies("console.locate", "an id leads to its workspace for members, and to nothing for others", async () => {
  const [person, stranger] = [await signUp({ workspace_name: "Kräuter & Co." }), await signUp()];
  const key = await addKey(service.databaseUrl, { workspaceId: person.workspace_id, ownerId: person.user.id });
  const api = apiOf(service, key);
  const agent = await createAgent(api);
  const task = await createTask(api);
  const team = await createTeam(api, { config: { steps: [{ agent_id: agent.id }] } });
  const run = await startRun(api, team.id);
  const slug = "krauter-co";
  for (const [id, kind] of [
    [task.id, "task"],
    [task.id.toUpperCase(), "task"],
    [agent.id, "agent"],
    [team.id, "team"],
    [run.id, "run"],
    [person.workspace_id, "workspace"],
    [slug, "workspace"],
  ] as const) {
    const found = await auth("GET", `locate?id=${id}`, person);
    expect(found.body).toEqual({ workspace_id: person.workspace_id, workspace_slug: slug, kind });
    expect(refusal(await auth("GET", `locate?id=${id}`, stranger)).status).toBe(404);
  }
  expect(refusal(await auth("GET", `locate?id=${newId()}`, person)).status).toBe(404);
  for (const query of ["", "?id=", `?id=${"x".repeat(101)}`, "?id=a%00b", "?id=a&b=c"]) {
    expect([query, refusal(await auth("GET", `locate${query}`, person)).status]).toEqual([query, 400]);
  }
});

verifies(
  "console.slug.derived",
  "workspaces of one name, made at the same time, get slugs of their own",
  async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => signUp({ workspace_name: "Same name!" })));
    const slugs = await Promise.all(
      made.map(async (person) => {
        const { body } = await send("GET", `${service.url}/console/api/workspace`, {
          headers: bearer(person.access_token),
        });
        return fieldsOf({ body, status: 200, headers: new Headers(), text: "" })["slug"];
      }),
    );
    expect(new Set(slugs).size).toBe(slugs.length);
    for (const slug of slugs) expect(slug).toMatch(/^same-name(-[0-9a-f]{3,})?$/);
  },
  { tags: "slow" },
);

verifies(
  "console.slug.derived",
  "any name gives a slug that a URL can hold, and none that looks like an id",
  async () => {
    const slugOf = async (name: string) => {
      const { workspaceId } = await addWorkspace(service.databaseUrl);
      const text = "update workspaces set name = $2 where id = $1 returning slug";
      return (await sql<{ slug: string }>(service.databaseUrl, text, [workspaceId, name]))[0]?.slug;
    };
    const id = newId();
    expect(await slugOf(id)).toBe(`w-${id}`);
    expect(await slugOf("日本")).toMatch(/^workspace/);
    expect(await slugOf(" --Ünïcode / <b>x</b>-- ")).toBe("unicode-b-x-b");
    expect(await slugOf("x".repeat(100))).toBe("x".repeat(40));
  },
);

verifies("console.slug.old", "a renamed workspace is still found by its old slug, and can take it again", async () => {
  const [person, other] = [await signUp({ workspace_name: "Old name" }), await signUp()];
  const headers = bearer(person.access_token);
  const rename = (name: string) =>
    send("PATCH", `${service.url}/console/api/workspace`, { headers, body: { name } }).then(fieldsOf);
  expect((await rename("New name"))["slug"]).toBe("new-name");
  expect((await auth("GET", "locate?id=old-name", person)).body).toMatchObject({ workspace_slug: "new-name" });
  const taken = await send("PATCH", `${service.url}/console/api/workspace`, {
    headers: bearer(other.access_token),
    body: { name: "Old Name" },
  });
  expect(fieldsOf(taken)["slug"]).toMatch(/^old-name-[0-9a-f]{3,}$/);
  expect((await rename("Old name"))["slug"]).toBe("old-name");
  expect((await rename("OLD NAME"))["slug"]).toBe("old-name");
});

verifies("console.person-limit", "a person's requests count for themselves, and leave the plan to keys", async () => {
  const person = await signUp();
  const ask = () => send("GET", `${service.url}/functions/v1/api-me`, { headers: bearer(person.access_token) });
  const answers = await Promise.all(Array.from({ length: PERSON_LIMIT * 3 }, ask));
  expect(answers[0]?.headers.get("x-ratelimit-limit")).toBe(String(PERSON_LIMIT));
  const refused = answers.filter(({ status }) => status === 429);
  // The requests may fall into two minutes.
  expect(refused.length).toBeGreaterThanOrEqual(PERSON_LIMIT);
  const [first] = refused;
  expect(first && refusal(first).message).toContain("You have used all");
  expect(Number(first?.headers.get("retry-after"))).toBeGreaterThan(0);
  const key = await addKey(service.databaseUrl, { workspaceId: person.workspace_id, ownerId: person.user.id });
  const byKey = await apiOf(service, key).get("/api-me");
  expect([byKey.status, byKey.headers.get("x-ratelimit-limit")]).toEqual([200, "30"]);
  expect(Number(byKey.headers.get("x-ratelimit-remaining"))).toBeGreaterThan(0);
});
