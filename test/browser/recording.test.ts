// Takes the pictures of the README: `RECORD=1 npm run test:browser -- browser/recording`.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { startScriptedProvider } from "../support/scripted-provider.ts";
import type { ProviderReply } from "../support/scripted-provider.ts";
import { createAgent, createTask, taskIn } from "../support/work.ts";
import { animatedPng } from "./animated-png.ts";
import type { Frame } from "./animated-png.ts";
import { useBrowser } from "./browser.ts";
import { openScene } from "./scene.ts";
import type { Scene } from "./scene.ts";

const IMAGES = join(import.meta.dirname, "../../docs/images");
const SIZE = { width: 1280, height: 720 };
const FRAME_MS = 450;
const LAST_FRAME_MS = 4_000;
const MAX_BYTES = 1_500_000;
const WORD_MS = 120;
const RESULT =
  "**Release notes**\n\nRuns survive a crash: finished steps are recorded and never paid twice. Streams resume at any process, and a cancel reaches the provider's request within a second.";
const OTHERS = ["Summarise the weekly report", "Answer the open tickets", "Translate the changelog", "Check the links"];

const browser = useBrowser();

test.runIf(process.env["RECORD"])("the screenshots of the README are taken", async () => {
  const provider = await startScriptedProvider(async ({ task, turn }, reply) => {
    if (task !== "Write the release notes") await speak(reply, "Done.");
    else if (turn === 0) reply.callTool("current_time", { time_zone: "Europe/Berlin" });
    else if (turn === 1) reply.callTool("request_approval", { title: "Publish the release notes?" });
    else await speak(reply, RESULT);
    reply.finish();
  });
  const scene = await openScene({ env: { OPENAI_BASE_URL: provider.baseUrl, OPENAI_API_KEY: "sk-test-of-openai" } });
  try {
    await record(scene);
  } finally {
    await scene.service.stop();
    await provider.close();
  }
});

async function record(scene: Scene): Promise<void> {
  const tools = ["current_time", "request_approval"];
  const agent = await createAgent(scene.api, { name: "Editor", model: "gpt-4o", tools });
  for (const title of OTHERS) {
    const { id } = await createTask(scene.api, { title, assigned_agent_id: agent.id });
    await taskIn(scene.api, id, "completed");
  }
  const page = await browser.newPage({ viewport: SIZE });
  await scene.signIn(page);
  const { id } = await createTask(scene.api, { title: "Write the release notes", assigned_agent_id: agent.id });
  await page.goto(`${scene.service.url}/w/my-workspace/runs`);
  await page.getByText("Write the release notes").waitFor();
  const frames = [await frameOf(page, 1_500)];
  await page.goto(`${scene.service.url}/w/my-workspace/runs/${id}`);
  await taskIn(scene.api, id, "waiting_for_input");
  await page.getByRole("treegrid", { name: "Steps" }).waitFor();
  await page.getByRole("button", { name: "Approve" }).waitFor();
  frames.push(await frameOf(page, 2_500));
  await page.getByRole("button", { name: "Approve" }).click();
  await follow(page, frames);
  await taskIn(scene.api, id, "completed");
  await page.getByText("Completed", { exact: true }).first().waitFor();
  frames.push(await frameOf(page, LAST_FRAME_MS));
  const picture = animatedPng(frames);
  expect(picture.length).toBeLessThan(MAX_BYTES);
  await writeFile(join(IMAGES, "run.png"), picture);
  await page.goto(`${scene.service.url}/w/my-workspace/runs`);
  await page.getByText("Write the release notes").waitFor();
  await page.screenshot({ path: join(IMAGES, "console.png") });
  await page.context().close();
}

/** Takes frames while the answer is written. */
async function follow(page: Page, frames: Frame[]): Promise<void> {
  const end = performance.now() + RESULT.split(" ").length * WORD_MS;
  while (performance.now() < end) {
    await sleep(FRAME_MS);
    frames.push(await frameOf(page, FRAME_MS));
  }
}

async function frameOf(page: Page, milliseconds: number): Promise<Frame> {
  return { png: await page.screenshot(), milliseconds };
}

async function speak(reply: ProviderReply, text: string): Promise<void> {
  for (const word of text.split(/(?<= )/)) {
    reply.say(word);
    await sleep(WORD_MS);
  }
}
