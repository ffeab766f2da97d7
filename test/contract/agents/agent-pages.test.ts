import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { newId } from "#lib/ids.ts";
import { apiOf, consoleOf, listOf, refusal, send } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { callOf } from "../../support/interactions.ts";
import { createPage, openPage, textOf, typesOf, visitorWith } from "../../support/page-scene.ts";
import type { Seen } from "../../support/page-scene.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { addMember, openWorkspace, sql } from "../../support/workspace.ts";

const SECRET = "hunter2-in-the-prompt";

let service: SharedService;
let api: Api;
let desk: Api;

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
  desk = consoleOf(service, service.keys.api);
});

async function pageOf(fields: object = {}, agent: object = {}) {
  const { id: agentId } = await createAgent(api, { name: "Helper", system_prompt: SECRET, ...agent });
  return { agentId, ...(await createPage(desk, agentId, { ...fields })) };
}

const errorOf = ({ raw }: Seen) =>
  z.object({ error: z.object({ message: z.string() }) }).parse(JSON.parse(raw)).error.message;

verifies(
  "agent-pages.off",
  "a page is off until an admin switches it on, and says what is wrong in a sentence",
  async () => {
    const { agentId, id, slug } = await pageOf({ is_on: undefined });
    const open = (name = slug) => send("POST", `${service.url}/p/${name}/open`, { body: {} });
    expect(refusal(await open())).toMatchObject({ status: 410, message: "This page is switched off." });
    expect(refusal(await open("nowhere"))).toMatchObject({ status: 404, message: "There is no page at this address." });
    const member = consoleOf(service, (await addMember(service.databaseUrl, service.workspaceId, "member")).key);
    expect(refusal(await member.patch(`/pages/${id}`, { is_on: true })).status).toBe(403);
    expect(refusal(await member.post("/pages", { agent_id: agentId, slug: `x-${slug}`, title: "X" })).status).toBe(403);
    expect((await member.get(`/pages/${id}`)).status).toBe(200);
    expect((await desk.patch(`/pages/${id}`, { is_on: true })).status).toBe(200);
    const opened = await open(slug.toUpperCase());
    expect(opened.body).toMatchObject({ title: "Ask us", page: { takes_files: false } });
    expect(opened.headers.get("set-cookie")).toBeNull();
    const visitor = await openPage(service.url, slug);
    await sql(service.databaseUrl, "update agents set needs_review = true where id = $1", [agentId]);
    const paused = await visitor.say("Hello");
    expect([paused.status, errorOf(paused)]).toEqual([409, "The agent is taking a break. Try again later."]);
    await api.delete(`/api-agents?id=${agentId}`);
    expect(refusal(await open()).status).toBe(404);
    expect((await visitor.say("Hello")).status).toBe(404);
  },
);

verifies("agent-pages.slug", "slugs are checked, and unique in the instance", async () => {
  const { agentId, slug, id } = await pageOf();
  const other = await createAgent(api, { name: "Other" });
  const make = (name: string, agent = other.id) => desk.post("/pages", { agent_id: agent, slug: name, title: "T" });
  for (const name of ["no", "admin", "-a-b", "a b c", "ä".repeat(5), "x".repeat(65)]) {
    expect(refusal(await make(name))).toMatchObject({ status: 400, paths: ["slug"] });
  }
  expect(refusal(await make(slug))).toMatchObject({
    status: 409,
    message: expect.stringMatching(/another page has this slug/i),
  });
  expect(refusal(await make(`${slug}-2`, agentId))).toMatchObject({
    status: 409,
    message: expect.stringContaining("page already"),
  });
  expect(refusal(await make(`${slug}-2`, newId()))).toMatchObject({ status: 400, paths: ["agent_id"] });
  const elsewhere = await openWorkspace(service);
  const theirs = await createAgent(elsewhere.api);
  expect(refusal(await elsewhere.console.post("/pages", { agent_id: theirs.id, slug, title: "T" })).status).toBe(409);
  expect(refusal(await elsewhere.console.get(`/pages/${id}`)).status).toBe(404);
  expect(listOf(await desk.get(`/pages?agent_id=${agentId}`)).map((page) => page["id"])).toEqual([id]);
});

verifies("agent-pages.visit", "a visitor talks to the agent, resumes the stream and stops it", async () => {
  const { id, slug } = await pageOf();
  const visitor = await openPage(service.url, slug);
  const thread = newId();
  const first = await visitor.say("[[slow:5]][[words:60]] Tell me", thread, {
    until: (events) => textOf(events).split(" ").length > 8,
  });
  expect(first.text).not.toBe("");
  const rest = await visitor.ask({ threadId: thread }, { lastEventId: first.events.at(-1)?.id ?? "" });
  expect(typesOf(rest).at(-1)).toBe("RUN_FINISHED");
  const whole = await visitor.ask({ threadId: thread });
  expect(first.text + rest.text).toBe(whole.text);
  expect(whole.text.split(" ").length).toBeGreaterThan(55);
  const second = await visitor.say("And then?", thread);
  expect(second.text).toContain("And then?");
  expect(JSON.stringify(second.events)).toContain(thread);
  const endless = newId();
  const begun = await visitor.say("[[slow:1000]][[words:500]] Go on", endless, {
    until: (events) => events.some(({ event }) => event.type === "TEXT_MESSAGE_CONTENT"),
  });
  expect((await visitor.stop(endless)).status).toBe(204);
  expect((await visitor.stop(endless)).status).toBe(204);
  const stopped = await visitor.ask({ threadId: endless }, { lastEventId: begun.events.at(-1)?.id ?? "" });
  expect(stopped.events.at(-1)?.event).toMatchObject({ type: "RUN_ERROR", code: "CANCELLED" });
  const { items } = z
    .looseObject({ items: z.array(z.looseObject({ source: z.unknown() })) })
    .parse((await desk.get("/runs?source=page")).body);
  expect(items.map(({ source }) => source)).toContainEqual({ kind: "page", id, name: "Ask us" });
});

verifies("agent-pages.private", "a conversation is its visitor's alone", async () => {
  const { agentId, slug } = await pageOf();
  const [one, two] = [await openPage(service.url, slug), await openPage(service.url, slug)];
  const thread = newId();
  expect((await one.say("[[say:mine]]", thread)).text).toBe("mine");
  expect((await two.ask({ threadId: thread })).status).toBe(404);
  expect((await two.stop(thread)).status).toBe(404);
  // The same id is another conversation of another visitor.
  expect((await two.say("[[say:theirs]]", thread)).text).toBe("theirs");
  expect((await one.ask({ threadId: thread })).text).toBe("mine");
  const withKey = await send("POST", `${service.url}/ag-ui/${agentId}/sse`, {
    headers: { authorization: `Bearer ${service.keys.agui}` },
    body: { threadId: thread, messages: [] },
  });
  expect(withKey.status).toBe(404);
  const forged = visitorWith(service.url, slug, `${"a".repeat(40)}.${"b".repeat(43)}`);
  expect((await forged.ask({ threadId: thread })).status).toBe(401);
  const dump = await sql(service.databaseUrl, "select thread_id from agent_threads where agent_id = $1", [agentId]);
  expect(dump).toHaveLength(2);
  expect(JSON.stringify(dump)).not.toContain(one.token.split(".")[0]);
});

verifies("agent-pages.hidden", "a visitor sees nothing of the workspace in a stream", async () => {
  const { slug } = await pageOf({}, { tools: ["current_time"], reasoning: { show: true } });
  const visitor = await openPage(service.url, slug);
  const thread = newId();
  const script = '[[think:private thoughts]][[tool:current_time {"timezone":"Asia/Tokyo"}]]\n[[say:forty-two]]';
  const seen = await visitor.say(script, thread);
  expect(seen.text).toBe("forty-two");
  expect([...new Set(typesOf(seen))].toSorted()).toEqual([
    "RUN_FINISHED",
    "RUN_STARTED",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_END",
    "TEXT_MESSAGE_START",
  ]);
  for (const secret of ["current_time", "Tokyo", "thoughts", "costUsd", "tokens", "usage", SECRET, "demo"]) {
    expect(seen.raw).not.toContain(secret);
  }
  const tasks = await sql<{ id: string }>(
    service.databaseUrl,
    "select task_id as id from agent_threads where thread_id like $1",
    [`%${thread}`],
  );
  expect(tasks).toHaveLength(1);
  expect(seen.raw).not.toContain(tasks[0]?.id ?? "?");
  const failed = await visitor.say("[[fail:the key of the provider is wrong]]");
  expect(failed.events.at(-1)?.event).toMatchObject({
    type: "RUN_ERROR",
    code: "FAILED",
    message: "The agent couldn't answer. Try again in a moment.",
  });
  expect(failed.raw).not.toContain("provider");
});

verifies("agent-pages.questions", "a visitor answers the agent's questions, and approves nothing", async () => {
  const { slug } = await pageOf(
    {},
    { tools: ["request_choice", "current_time"], config: { requires_approval: ["current_time"], approvers: "caller" } },
  );
  const visitor = await openPage(service.url, slug);
  const thread = newId();
  const choices = [
    { id: "red", label: "Red" },
    { id: "blue", label: "Blue" },
  ];
  const asked = await visitor.say(callOf("request_choice", { title: "Which colour?", choices }), thread);
  const outcome = asked.events.at(-1)?.event["outcome"];
  expect(outcome).toMatchObject({ type: "interrupt", interrupts: [{ message: "Which colour?" }] });
  const { interrupts } = z.looseObject({ interrupts: z.array(z.looseObject({ id: z.string() })) }).parse(outcome);
  const interruptId = interrupts[0]?.id ?? "";
  const stranger = await openPage(service.url, slug);
  const resume = [{ interruptId, status: "resolved", payload: { selectedOptionId: "blue" } }];
  expect((await stranger.ask({ threadId: thread, resume })).status).toBe(404);
  const answered = await visitor.ask({ threadId: thread, resume });
  expect(answered.text).toContain("blue");
  const [closed] = listQuestions(await desk.get("/questions?state=answered"));
  expect(closed).toMatchObject({ answered_via: "page", answered_name: "Visitor" });

  const guarded = newId();
  const waiting = await visitor.say(callOf("current_time", {}), guarded, {
    until: (events) => events.some(({ event }) => event["name"] === "WAITS_FOR_OTHERS"),
  });
  expect(waiting.raw).not.toContain("current_time");
  const [open] = listQuestions(await desk.get("/questions"));
  const id = open?.id ?? "";
  const forbidden = await visitor.ask({
    threadId: guarded,
    resume: [{ interruptId: id, status: "resolved", payload: { approved: true } }],
  });
  expect([forbidden.status, errorOf(forbidden)]).toEqual([
    403,
    "Others decide this. The conversation goes on once they have.",
  ]);
  const following = visitor.ask({ threadId: guarded }, { lastEventId: waiting.events.at(-1)?.id ?? "" });
  expect((await desk.post(`/tasks/${open?.subject.id}/answer`, { interactionId: id, approved: true })).status).toBe(
    200,
  );
  const after = await following;
  expect(after.events[0]?.event).toMatchObject({ name: "WAITS_FOR_OTHERS", value: false });
  expect(typesOf(after).at(-1)).toBe("RUN_FINISHED");
});

const questionShape = z.looseObject({ id: z.string(), subject: z.looseObject({ id: z.string() }) });

const listQuestions = ({ body }: { readonly body: unknown }) =>
  z.looseObject({ items: z.array(questionShape) }).parse(body).items;

verifies("agent-pages.limits", "a visitor who floods a page takes nothing from the others", async () => {
  const { slug } = await pageOf({ limits: { visitor_minute: 2, page_minute: 6 } });
  const flooder = await openPage(service.url, slug);
  const others = await Promise.all(Array.from({ length: 4 }, () => openPage(service.url, slug)));
  const flood = Array.from({ length: 60 }, () => flooder.say("[[say:ok]]"));
  const polite = others.map((visitor) => visitor.say("[[say:ok]]"));
  expect((await Promise.all(polite)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect((await Promise.all(flood)).filter(({ status }) => status === 200)).toHaveLength(2);
});

verifies("agent-pages.visit", "who writes while the agent is busy is told so in a visitor's words", async () => {
  const { slug } = await pageOf();
  const visitor = await openPage(service.url, slug);
  const thread = newId();
  const begun = (events: readonly unknown[]) => events.length > 0;
  await visitor.say("[[slow:1000]][[words:500]] Go on", thread, { until: begun });
  const busy = await visitor.say("And?", thread);
  expect([busy.status, errorOf(busy)]).toEqual([
    409,
    "The agent is still busy with this conversation. Send your message when it has finished.",
  ]);
  const resume = [{ interruptId: newId(), status: "resolved", payload: { approved: true } }];
  const closed = await visitor.ask({ threadId: thread, resume });
  expect([closed.status, errorOf(closed)]).toEqual([409, "This question is no longer open."]);
  await visitor.stop(thread);
});

verifies("agent-pages.limits", "messages are limited by visitor and page, and by their size", async () => {
  const { id, slug } = await pageOf({ limits: { visitor_minute: 2, page_minute: 5, message_chars: 50 } });
  const visitor = await openPage(service.url, slug);
  for (const _ of [1, 2]) expect((await visitor.say("[[say:ok]]")).text).toBe("ok");
  const third = await visitor.say("[[say:ok]]");
  expect(third.status).toBe(429);
  expect(errorOf(third)).toMatch(
    /^You are sending messages faster than this page can take them\. Try again in \d+ seconds?\.$/,
  );
  // What was rejected counts for nothing: three of others still fit.
  const other = await openPage(service.url, slug);
  for (const _ of [1, 2]) expect((await other.say("[[say:ok]]")).text).toBe("ok");
  const last = await openPage(service.url, slug);
  expect((await last.say("[[say:ok]]")).text).toBe("ok");
  expect(errorOf(await last.say("[[say:ok]]"))).toMatch(/^Many people are writing to this page just now\./);
  expect(
    (await desk.patch(`/pages/${id}`, { limits: { page_minute: 100, visitor_minute: 100, address_day: 7 } })).status,
  ).toBe(200);
  const long = await visitor.say("x".repeat(51));
  expect([long.status, errorOf(long)]).toEqual([413, "A message has at most 50 characters here; this one has 51."]);
  const file = {
    type: "binary",
    mimeType: "text/plain",
    data: Buffer.from("hi").toString("base64"),
    filename: "a.txt",
  };
  const withFile = (parts: readonly object[], text = "[[say:got it]]") =>
    visitor.ask({
      threadId: newId(),
      messages: [{ id: newId(), role: "user", content: [{ type: "text", text }, ...parts] }],
    });
  expect(errorOf(await withFile([file]))).toBe("This page takes no files.");
  await desk.patch(`/pages/${id}`, { takes_files: true, limits: { file_bytes: 5 } });
  expect((await withFile([file])).text).toBe("got it");
  expect((await withFile([{ ...file, data: Buffer.from("too long").toString("base64") }])).status).toBe(413);
  expect(errorOf(await withFile([file, file, file, file]))).toBe("A message has at most 3 files.");
  expect(errorOf(await withFile([{ type: "binary", mimeType: "text/plain", url: "https://example.com/x" }]))).toBe(
    "Attach the file itself, not its address.",
  );
  // What a client would add as instructions is not passed on.
  const instructions = { id: newId(), role: "system", content: "x".repeat(5_000) };
  const user = { id: newId(), role: "user", content: "[[say:ok]]" };
  const sent = newId();
  expect((await visitor.ask({ threadId: sent, messages: [instructions, user] })).text).toBe("ok");
  const kept = await sql<{ kept: string }>(
    service.databaseUrl,
    "select conversation::text as kept from runs r join agent_threads t on t.task_id = r.id where t.thread_id like $1",
    [`%${sent}`],
  );
  expect(kept[0]?.kept).not.toContain("xxx");
  expect(errorOf(await visitor.say("[[say:ok]]"))).toMatch(/^Your network has sent as many messages/);
});

verifies("agent-pages.code", "a page with a code opens by it alone", async () => {
  const { id, slug } = await pageOf({ code: "open sesame" });
  const open = (body: object) => send("POST", `${service.url}/p/${slug}/open`, { body });
  expect((await open({})).body).toEqual({ token: null, title: "Ask us", page: null });
  expect(refusal(await open({ code: "wrong" }))).toMatchObject({ status: 403, message: "This code is not right." });
  const visitor = await openPage(service.url, slug, { code: "open sesame" });
  const thread = newId();
  expect((await visitor.say("[[say:in]]", thread)).text).toBe("in");
  expect((await open({ visitor: visitor.token })).body).toMatchObject({ token: visitor.token });
  const [row] = await sql(service.databaseUrl, "select * from agent_pages where id = $1", [id]);
  expect(JSON.stringify(row)).not.toContain("sesame");
  expect(JSON.stringify((await desk.get(`/pages/${id}`)).body)).not.toContain("argon2");
  await desk.patch(`/pages/${id}`, { code: "another one" });
  expect((await visitor.ask({ threadId: thread })).status).toBe(401);
  expect((await open({ visitor: visitor.token })).body).toMatchObject({ token: null });
  const back = await openPage(service.url, slug, { visitor: visitor.token, code: "another one" });
  expect((await back.ask({ threadId: thread })).text).toBe("in");
  for (let guess = 0; guess < 20; guess++) await open({ code: `guess ${guess}` });
  expect(refusal(await open({ code: "another one" })).status).toBe(429);
});

verifies("agent-pages.revoke", "a page that is switched off, rotated or deleted ends its streams", async () => {
  const { id, slug } = await pageOf();
  const begins = async () => {
    const visitor = await openPage(service.url, slug);
    const thread = newId();
    const started = await visitor.say("[[slow:1000]][[words:500]] Go", thread, {
      until: (events) => events.length > 1,
    });
    const following = visitor.ask({ threadId: thread }, { lastEventId: started.events.at(-1)?.id ?? "" });
    return { visitor, thread, following };
  };
  const one = await begins();
  await desk.patch(`/pages/${id}`, { is_on: false });
  expect(typesOf(await one.following)).not.toContain("RUN_FINISHED");
  expect((await one.visitor.ask({ threadId: one.thread })).status).toBe(410);
  await desk.patch(`/pages/${id}`, { is_on: true, code: "1234" });
  await desk.patch(`/pages/${id}`, { code: null });
  const two = await begins();
  expect((await desk.post(`/pages/${id}/rotate`, {})).status).toBe(200);
  await two.following;
  expect((await two.visitor.ask({ threadId: two.thread })).status).toBe(401);
  const again = await openPage(service.url, slug, { visitor: two.visitor.token });
  expect((await again.ask({ threadId: two.thread })).status).toBe(404);
  expect((await desk.delete(`/pages/${id}`)).status).toBe(204);
  expect((await again.ask({ threadId: two.thread })).status).toBe(404);
  const log = (await desk.get("/audit?kind=page")).text;
  for (const action of ["page.created", "page.changed", "page.deleted"]) expect(log).toContain(action);
  expect(log).not.toContain("1234");
  expect(log).toContain('"changes" : {"code": null}');
});

verifies("agent-pages.frame", "only listed sites frame a page, and no other site's script uses it", async () => {
  const { slug } = await pageOf({ origins: ["https://www.example.com/", "http://localhost:8080"] });
  const bare = await pageOf();
  const page = async (name: string) => fetch(`${service.url}/p/${name}`, { headers: { accept: "text/html" } });
  const framed = await page(slug);
  expect(framed.headers.get("content-security-policy")).toContain(
    "frame-ancestors 'self' https://www.example.com http://localhost:8080",
  );
  for (const name of [bare.slug, "nowhere"]) {
    expect((await page(name)).headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  }
  expect(framed.headers.get("set-cookie")).toBeNull();
  const script = await send("POST", `${service.url}/p/${slug}/open`, {
    headers: { "sec-fetch-site": "cross-site", origin: "https://www.example.com" },
    body: {},
  });
  expect(refusal(script).status).toBe(403);
  for (const origin of [
    "https://a.example/path",
    "http://a.example",
    "ftp://a.example",
    "*",
    "https://*.example.com",
  ]) {
    expect(refusal(await desk.patch(`/pages/${newId()}`, { origins: [origin] })).paths).toEqual(["origins.0"]);
  }
});
