import { beforeAll, expect } from "vitest";
import { sessionOf, signIn } from "../../support/accounts.ts";
import { refusal } from "../../support/api.ts";
import { useSessionScene } from "../../support/session-scene.ts";
import type { SessionScene } from "../../support/session-scene.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

let scene: SessionScene;

beforeAll(async () => {
  scene = await useSessionScene();
});

/** Lets the time of grace pass for all tokens that were spent. */
async function graceOver(): Promise<void> {
  await sql(scene.database.url, "update refresh_tokens set spent_at = spent_at - interval '11 seconds'");
}

verifies(
  ["accounts.session.rotation", "accounts.session.reuse", "accounts.session.revocable"],
  "each refresh gives a new token; a replaced one that comes back ends the session everywhere",
  async () => {
    const first = await signIn(scene.one);
    const second = sessionOf(await scene.refresh(first.cookie));
    const third = sessionOf(await scene.refresh(second.cookie, scene.other));
    expect(new Set([first.cookie, second.cookie, third.cookie]).size).toBe(3);
    const stored = JSON.stringify(await sql(scene.database.url, "select * from refresh_tokens"));
    for (const { cookie } of [first, second, third]) expect(stored).not.toContain(cookie.split("=")[1]);
    await scene.takenEverywhere(third.access_token);
    await graceOver();
    const stolen = await scene.refresh(first.cookie, scene.other);
    expect([refusal(stolen).status, stolen.headers.getSetCookie()]).toEqual([401, []]);
    await scene.refusedEverywhere(third.access_token);
    expect(refusal(await scene.refresh(third.cookie)).status).toBe(401);
  },
);

verifies(
  ["accounts.session.grace", "accounts.session.reuse"],
  "tabs that refresh at the same time all succeed, and of their new tokens one lives on",
  async () => {
    const { cookie } = await signIn(scene.one);
    const tabs = await Promise.all(
      [scene.one, scene.other, scene.one, scene.other].map((service) => scene.refresh(cookie, service)),
    );
    expect(tabs.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const [kept, dropped] = tabs.map(sessionOf);
    const next = sessionOf(await scene.refresh(kept?.cookie ?? ""));
    await scene.takenEverywhere(next.access_token);
    await graceOver();
    expect(refusal(await scene.refresh(dropped?.cookie ?? "")).status).toBe(401);
    await scene.refusedEverywhere(next.access_token);
  },
);

verifies(
  ["console.refresh.lost-answer", "accounts.session.reuse"],
  "a token whose response was lost stays valid until its successor is used, at any later time",
  async () => {
    const { cookie } = await signIn(scene.one);
    const lost = sessionOf(await scene.refresh(cookie));
    await graceOver();
    const arrived = sessionOf(await scene.refresh(cookie, scene.other));
    await graceOver();
    // Either may be the one that the browser kept.
    const next = sessionOf(await scene.refresh(lost.cookie));
    await scene.takenEverywhere(next.access_token);
    await graceOver();
    const stolen = await scene.refresh(cookie);
    expect(refusal(stolen).status).toBe(401);
    await scene.refusedEverywhere(next.access_token);
    expect(refusal(await scene.refresh(arrived.cookie)).status).toBe(401);
  },
);

verifies(
  ["console.refresh.lost-answer", "accounts.session.reuse"],
  "a copy used before its owner ends with the owner's next refresh, and its return ends the session",
  async () => {
    const { cookie: stolen } = await signIn(scene.one);
    const owner = sessionOf(await scene.refresh(stolen));
    const thief = sessionOf(await scene.refresh(stolen));
    const next = sessionOf(await scene.refresh(owner.cookie));
    await graceOver();
    expect(refusal(await scene.refresh(thief.cookie, scene.other)).status).toBe(401);
    await scene.refusedEverywhere(next.access_token);
    await scene.refusedEverywhere(thief.access_token);
  },
);
