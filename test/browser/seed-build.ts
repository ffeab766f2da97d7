import { z } from "zod";
import { consoleOf } from "../support/api.ts";
import { PIXEL, uploadTo } from "../support/files.ts";
import { addText, createBase, documentRead, formOf, upload } from "../support/knowledge.ts";
import type { Scene } from "./scene.ts";

const record = z.looseObject({ id: z.string() });

/** What the screens of knowledge and files are filled with. */
export interface BuildSeed {
  readonly base: string;
  readonly page: string;
  readonly pipeline: string;
  readonly orchestrator: string;
}

/** Documents that are ready and one that failed; a few files. */
export async function seedBuild(scene: Scene): Promise<BuildSeed> {
  const { service } = scene;
  const api = consoleOf(service, service.keys.api);
  const sender = { url: service.url, key: service.keys.api };
  const base = await createBase(api, { name: "Staff handbook" });
  await createBase(api, { name: "Product manuals" });
  const texts = [
    ["Lost property", "Lost property is kept for six weeks at the front desk. After that it is given to charity."],
    ["Opening hours", "The shop opens at nine and closes at six. On Sundays it stays closed."],
  ] as const;
  for (const [name, text] of texts) {
    const { id } = await addText(api, base, { name, text, tags: ["staff"] });
    await documentRead(api, id);
  }
  const broken = formOf(
    { name: "Price list 2019.pdf", type: "application/pdf", content: "%PDF-1.4 broken" },
    { knowledge_base_id: base },
  );
  await documentRead(api, record.parse((await upload(sender, broken)).body).id);
  await uploadTo(service, { name: "pixel.png", type: "image/png", content: PIXEL });
  await uploadTo(service, {
    name: "returns.csv",
    type: "text/csv",
    content: "order,reason\n4711,broken\n4712,too large\n",
  });
  const page = await uploadTo(service, {
    name: "newsletter.html",
    type: "text/html",
    content: `<!doctype html><html><body style="font-family:sans-serif"><h1>December</h1><p>Find parts of words.</p></body></html>`,
  });
  return { base, page: page.id, ...(await seedTeams(scene)) };
}

/** A team of each mode, the last one a draft. */
async function seedTeams({ api }: Scene): Promise<Pick<BuildSeed, "pipeline" | "orchestrator">> {
  const agent = async (name: string) => record.parse((await api.post("/api-agents", { name, model: "demo" })).body).id;
  const [editor, facts, style] = [await agent("Editor"), await agent("Fact checker"), await agent("Style checker")];
  const team = async (body: object) => record.parse((await api.post("/api-teams", body)).body).id;
  await team({ name: "Product council", mode: "collaboration" });
  const orchestrator = await team({
    name: "Research desk",
    mode: "orchestrator",
    config: { brain_agent_id: editor, worker_agent_ids: [facts, style] },
  });
  const pipeline = await team({
    name: "Newsroom",
    mode: "pipeline",
    description: "Writes the monthly newsletter.",
    config: {
      auto_handoff: false,
      memory: { enabled: true, limit: 3 },
      steps: [
        { agent_id: editor, step_name: "Draft", instructions: "Write a first draft of 300 words." },
        { type: "fan_out", step_name: "Review", parallel_agents: [facts, style], merge_agent_id: editor },
        { agent_id: editor, step_name: "Publish", instructions: "Make the final text.", on_failure: "retry" },
      ],
    },
  });
  return { pipeline, orchestrator };
}
