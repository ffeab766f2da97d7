import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { bearer, postAuth, sessionOf } from "../../support/accounts.ts";
import type { TestSession } from "../../support/accounts.ts";
import { idsOf, send } from "../../support/api.ts";
import type { Sent } from "../../support/api.ts";
import { idOf, readDescription } from "../../support/checks/description.ts";
import type { Described } from "../../support/checks/description.ts";
import { openRequest, registerApp } from "../../support/mcp/app-client.ts";
import { openProviderBrowser } from "../../support/provider-browser.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";

let service: TestService;
let person: TestSession;
let checked: Described["checked"];

beforeAll(async () => {
  service = await startService({ env: { SIGN_UP: "open" } });
  ({ checked } = await readDescription(service));
  person = sessionOf(await postAuth(service, "sign-up", { email: "mary@example.org", password: "a long password" }));
});
afterAll(() => service.stop());

verifies("envelope.openapi.describes-answers", "people and models are as the document says", async () => {
  const headers = bearer(person.access_token);
  const statuses = [
    await checked("GET", "/auth/options"),
    await checked("GET", "/auth/me", { headers }),
    await checked("PATCH", "/auth/me", { headers, body: { name: "Ada" } }),
    await checked("PATCH", "/auth/me", { headers, body: {} }),
    await checked("GET", "/auth/locate", { headers, at: `/auth/locate?id=${person.workspace_id}` }),
    await checked("GET", "/console/api/models"),
    await checked("GET", "/console/api/agents/tags"),
    await checked("GET", "/console/api/tools/built-in"),
    await checked("POST", "/console/api/provider-keys/{provider}/test", {
      at: "/console/api/provider-keys/demo/test",
      body: {},
    }),
    await checked("POST", "/functions/v1/api-tasks", { body: { title: "T" } }),
    await checked("GET", "/console/api/runs"),
    await checked("GET", "/console/api/runs", { at: "/console/api/runs?limit=0" }),
    await checked("GET", "/console/api/questions"),
    await checked("GET", "/console/api/live", { at: "/console/api/live?follow=x" }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 200, 200, 400, 200, 200, 200, 200, 200, 201, 200, 400, 200, 400]);
});

verifies("envelope.openapi.describes-answers", "accounts and sessions are as the document says", async () => {
  const person = { email: "ada@example.org", password: "correct horse" };
  const post = (path: string, body: unknown, headers: Sent["headers"] = {}) =>
    checked("POST", `/auth/${path}`, { body, headers });
  const [, token = ""] = /\/auth\/setup\?token=(\S+)/.exec(service.output().stdout) ?? [];
  const up = await post("sign-up", { ...person, email: "grace@example.org" });
  const headers = bearer(sessionOf(up).access_token);
  const { cookie } = sessionOf(await post("refresh", {}, { cookie: sessionOf(up).cookie }));
  const statuses = [
    await checked("GET", "/auth/setup", { at: `/auth/setup?token=${token}` }),
    await post("setup", { ...person, token }),
    await post("setup", { ...person, token }),
    await post("sign-in", person),
    await post("token", person),
    await post("token", { ...person, password: "wrong" }),
    await checked("GET", "/auth/sessions", { headers }),
    await post("password", { current_password: person.password, new_password: "new horse" }, headers),
    await checked("GET", "/auth/reset", { at: "/auth/reset?token=x" }),
    await post("reset", { token: "x", password: "new horse" }),
    await checked("DELETE", "/auth/sessions/{id}", { at: `/auth/sessions/${UNKNOWN}`, headers }),
    await checked("DELETE", "/auth/sessions", { headers }),
    await post("sign-out", {}, { cookie }),
    await checked("GET", "/auth/sessions", { headers: {} }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 201, 404, 200, 200, 401, 200, 204, 404, 404, 404, 204, 204, 401]);
  for (const path of ["sign-up", "sign-in", "token", "refresh", "sign-out", "setup", "reset", "password"]) {
    const refused = await send("PUT", `${service.url}/auth/${path}`);
    expect([path, refused.status, refused.headers.get("allow")]).toEqual([path, 405, expect.stringContaining("POST")]);
  }
});

verifies("envelope.openapi.describes-answers", "apps and what they ask for are as the document says", async () => {
  const asking = { session: person, browser: openProviderBrowser() };
  const uid = await openRequest(asking, (await registerApp(service)).authorizeUrl());
  const headers = { ...bearer(person.access_token), cookie: asking.browser.cookiesFor(service.url) };
  const [path, at] = ["/auth/app-requests/{uid}", `/auth/app-requests/${uid}`];
  const allow = { decision: "allow", workspace_id: person.workspace_id, scopes: ["read"] };
  const own = { headers: bearer(person.access_token) };
  const statuses = [
    await checked("GET", path, { at, headers }),
    await checked("GET", path, { at: "/auth/app-requests/x", headers }),
    await checked("POST", path, { at, headers, body: { decision: "allow" } }),
    await checked("POST", path, { at, headers, body: { ...allow, workspace_id: UNKNOWN } }),
    await checked("POST", path, { at, headers, body: allow }),
  ].map(({ status }) => status);
  expect(statuses).toEqual([200, 404, 400, 404, 200]);
  const listed = await checked("GET", "/console/api/apps", own);
  const [id] = idsOf(listed);
  const one = "/console/api/apps/{id}";
  expect((await checked("DELETE", one, { at: `/console/api/apps/${id}`, ...own })).status).toBe(204);
  expect((await checked("DELETE", one, { at: `/console/api/apps/${id}`, ...own })).status).toBe(404);
});

verifies("envelope.openapi.describes-answers", "people and workspaces are as the document says", async () => {
  const [members, invitations] = ["/console/api/members", "/console/api/invitations"];
  const invitation = await checked("POST", invitations, { body: { email: "a@localhost.localdomain", role: "viewer" } });
  const { token } = z.looseObject({ token: z.string() }).parse(invitation.body);
  const me = idOf(await checked("GET", "/functions/v1/api-me"));
  const [member, at] = [`${members}/{userId}`, `${members}/${me}`];
  const statuses = [
    invitation,
    await checked("GET", invitations),
    await checked("GET", "/auth/invitations", { at: `/auth/invitations?token=${token}` }),
    await checked("POST", "/auth/invitations/accept", { body: { token, password: "short" } }),
    await checked("POST", "/auth/invitations/accept", { body: { token, password: "a long password" } }),
    await checked("DELETE", `${invitations}/{id}`, { at: `${invitations}/${idOf(invitation)}` }),
    await checked("GET", members),
    await checked("PATCH", member, { at, body: { role: "owner" } }),
    await checked("DELETE", member, { at }),
    await checked("GET", "/console/api/workspace"),
    await checked("PATCH", "/console/api/workspace", { body: { name: "Named" } }),
    await checked("PUT", "/console/api/workspace/approvals", { body: { approvals: [] } }),
    await checked("GET", "/console/api/workspace/approvals"),
    await checked("DELETE", "/console/api/workspace", { at: "/console/api/workspace?confirm=Named" }),
    await checked("POST", "/console/api/workspaces", { body: { name: "Another" } }),
    await checked("GET", "/console/api/workspaces"),
  ].map(({ status }) => status);
  expect(statuses).toEqual([201, 200, 200, 400, 201, 404, 200, 200, 409, 200, 200, 200, 200, 409, 201, 200]);
});
