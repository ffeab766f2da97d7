import { beforeAll, expect } from "vitest";
import { apiOf, consoleOf, fieldsOf, listOf, refusal } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { PIXEL, askFiles, uploadTo } from "../../support/files.ts";
import { addText, createBase, documentRead } from "../../support/knowledge.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask } from "../../support/work.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";

let service: SharedService;
let api: Api;
let pages: Api;

beforeAll(async () => {
  service = await useSharedService();
  api = apiOf(service, service.keys.api);
  pages = consoleOf(service, service.keys.api);
});

const namesOf = (answer: Answer) => listOf(answer).map(({ name }) => name);

verifies("team-screens.filters.teams", "teams are found by mode, by name and by id", async () => {
  const ids = new Map<string, string>();
  for (const [name, mode] of [
    ["Newsroom", "pipeline"],
    ["Support 100%", "orchestrator"],
    ["News council", "collaboration"],
  ] as const) {
    ids.set(name, String(fieldsOf(await api.post("/api-teams", { name, mode }))["id"]));
  }
  const found = async (query: string) => namesOf(await api.get(`/api-teams?${query}`));
  expect(await found("q=news")).toEqual(["News council", "Newsroom"]);
  expect(await found("q=NEWS&mode=pipeline")).toEqual(["Newsroom"]);
  expect(await found("mode=orchestrator")).toEqual(["Support 100%"]);
  expect(await found("q=100%25")).toEqual(["Support 100%"]);
  expect(await found("q=%25")).toEqual(["Support 100%"]);
  expect(await found(`q=${ids.get("Newsroom")}`)).toEqual(["Newsroom"]);
  expect(await found("q=nothing+like+this")).toEqual([]);
});

verifies(
  "team-screens.filters.documents",
  "documents are found by base, name, status and tag; their tags are listed",
  async () => {
    const [handbook, manual] = [await createBase(pages), await createBase(pages, { name: "Manual" })];
    const tea = await addText(pages, handbook, { name: "Tea", text: "Green tea.", tags: ["kitchen", "drinks"] });
    await documentRead(pages, tea.id);
    await addText(pages, handbook, { name: "Teapots", text: "Pots.", tags: ["kitchen"] });
    await addText(pages, manual, { name: "Tea machine", text: "A machine.", tags: ["drinks"] });
    const found = async (query: string) => namesOf(await pages.get(`/knowledge/documents?${query}`));
    expect(await found("q=tea")).toEqual(["Tea machine", "Teapots", "Tea"]);
    expect(await found(`q=tea&knowledge_base_id=${handbook}`)).toEqual(["Teapots", "Tea"]);
    expect(await found("tag=drinks")).toEqual(["Tea machine", "Tea"]);
    expect(await found(`tag=drinks&status=ready&knowledge_base_id=${handbook}`)).toEqual(["Tea"]);
    expect(await found("tag=drink")).toEqual([]);
    expect((await pages.get("/knowledge/tags")).body).toEqual(["drinks", "kitchen"]);
    expect((await pages.get(`/knowledge/tags?knowledge_base_id=${manual}`)).body).toEqual(["drinks"]);
    expect(await found(`knowledge_base_id=${UNKNOWN}&q=tea`)).toEqual([]);
  },
  { tags: "slow" },
);

verifies(
  ["team-screens.filters.files", "team-screens.files.work-title"],
  "files are found by their work, name, type and direction, and name their work",
  async () => {
    const agent = await createAgent(api);
    const note = await uploadTo(service, { name: "Notes.txt", type: "text/plain", content: "Notes." });
    const image = await uploadTo(service, { name: "noted.png", type: "image/png", content: PIXEL });
    const task = await createTask(api, { title: "Read it", assigned_agent_id: agent.id, attachments: [note.id] });
    const found = async (query: string) => namesOf(await askFiles(service, `?${query}`));
    expect(await found("q=NOTE")).toEqual(["noted.png", "Notes.txt"]);
    expect(await found("q=note&type=image/")).toEqual(["noted.png"]);
    expect(await found("type=text/plain&direction=input")).toEqual(["Notes.txt"]);
    expect(await found("direction=output")).toEqual([]);
    expect(await found(`task_id=${task.id}`)).toEqual(["Notes.txt"]);
    expect(await found(`task_id=${task.id}&type=image/`)).toEqual([]);
    expect(await found(`task_id=${task.id}&run_id=${UNKNOWN}`)).toEqual([]);
    expect(fieldsOf(await askFiles(service, `/${note.id}`))).toMatchObject({ work_title: "Read it" });
    expect(fieldsOf(await askFiles(service, `/${image.id}`))).toMatchObject({ work_title: null });
  },
);

verifies("team-screens.filters.pages", "filtered lists come in whole pages; unknown filters are rejected", async () => {
  for (let nth = 1; nth <= 5; nth++) await api.post("/api-teams", { name: `Paged ${nth}`, mode: "pipeline" });
  const found: unknown[] = [];
  let path: string | undefined = "/api-teams?q=paged&limit=2";
  while (path !== undefined) {
    const answer: Answer = await api.get(path);
    found.push(...namesOf(answer));
    path = /<(?:\/functions\/v1)?([^>]*)>/.exec(answer.headers.get("link") ?? "")?.[1];
  }
  expect(found).toEqual(["Paged 5", "Paged 4", "Paged 3", "Paged 2", "Paged 1"]);
  expect(refusal(await api.get("/api-teams?mode=swarm")).paths).toEqual(["mode"]);
  expect(refusal(await pages.get("/knowledge/documents?status=done")).paths).toEqual(["status"]);
  expect(refusal(await askFiles(service, "?direction=sideways")).paths).toEqual(["direction"]);
  expect((await askFiles(service, "?kind=x")).status).toBe(400);
});
