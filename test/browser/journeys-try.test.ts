import { afterAll, beforeAll, expect } from "vitest";
import { fieldsOf } from "../support/api.ts";
import { verifies } from "../support/verifies.ts";
import { readAgent } from "../support/work.ts";
import { useBrowser } from "./browser.ts";
import { openScriptedScene } from "./scene.ts";
import type { ScriptedScene } from "./scene.ts";

let scene: ScriptedScene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScriptedScene();
});
afterAll(() => scene.stop());

verifies(
  "agent-screens.playground",
  "a reply is run again with edits, compared, saved as a version, and found again in the list",
  async () => {
    const player = await scene.player(
      (call, reply) => {
        const { messages } = call.body;
        const last = messages.at(-1);
        if (last?.role === "user" && last.content?.includes("weather")) reply.callTool("current_time", {}, "look");
        else {
          const isBrief = messages[0]?.content?.includes("Be brief.") === true;
          const about = last?.role === "tool" ? `It is ${last.content} now` : `You asked: ${last?.content}`;
          reply.say(isBrief ? `${about}, briefly.` : `${about}, at length.`);
        }
        reply.finish();
      },
      { name: "Forecaster", tools: ["current_time"], temperature: 0.2 },
    );
    const page = await browser.open(scene, `/agents/${player.id}?tab=try`);
    await page.getByText("None yet. What you say below starts the first one.").waitFor();
    await page.getByRole("textbox", { name: "Message" }).fill("How is the weather?");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText(/It is .* now, at length\./).waitFor();

    // The prompt and the temperature are edited; a reload keeps what was typed.
    await page.getByRole("button", { name: "Edit and run again" }).click();
    const sheet = page.getByRole("dialog", { name: "Edit and run again" });
    const { system_prompt: prompt } = fieldsOf(await scene.api.get(`/api-agents?id=${player.id}`));
    await expect.poll(() => sheet.getByLabel("Prompt").inputValue()).toBe(prompt);
    await sheet.getByLabel("Prompt").fill(`${String(prompt)}Be brief.`);
    await page.reload();
    await page.getByRole("button", { name: "Edit and run again" }).click();
    await sheet.getByText("Draft restored").waitFor();
    await sheet.getByLabel("Temperature").fill("1");
    await sheet.getByRole("button", { name: "Run again" }).click();

    await page.waitForURL(/rerun=/);
    const [before, after] = ["Before", "After"].map((name) => page.getByRole("region", { name, exact: true }));
    await before?.getByText(/at length\./).waitFor();
    await after?.getByText(/briefly\./).waitFor();
    await after?.getByText(/ tokens · \$/).waitFor();
    const changed = page.getByRole("region", { name: "What was changed" });
    await expect.poll(() => changed.locator("dt").allTextContents()).toEqual(["Prompt", "Temperature"]);
    const differences = page.getByRole("region", { name: "Differences of the replies" });
    await expect.poll(() => differences.locator("ins").allTextContents()).toContain("briefly");
    expect((await readAgent(scene.api, player.id))["version"]).toBe(1);

    await page.getByRole("button", { name: "Save as version" }).click();
    const confirm = page.getByRole("dialog", { name: "Save as version 2?" });
    await confirm.getByText("Be brief.").waitFor();
    await confirm.getByRole("button", { name: "Save version" }).click();
    await page.getByText("Saved as version 2.", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Save as version" }).waitFor({ state: "detached" });
    const saved = await readAgent(scene.api, player.id);
    expect([saved["version"], saved["temperature"], saved["system_prompt"]]).toEqual([
      2,
      1,
      `${String(prompt)}Be brief.`,
    ]);

    // The result of a tool is edited: the agent goes on from it.
    await page.getByRole("link", { name: "Back to conversation" }).click();
    await page.getByRole("link", { name: "Rerun 1" }).waitFor();
    await page.getByRole("button", { name: "Edit and run again" }).click();
    await sheet.getByLabel("current_time").fill("midnight");
    await sheet.getByRole("button", { name: "Run again" }).click();
    await after?.getByText("It is midnight now").waitFor();

    await page.getByRole("link", { name: "Continue with the new one" }).click();
    await page.getByRole("textbox", { name: "Message" }).fill("Thank you");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("You asked: Thank you").waitFor();
    await page.getByText("It is midnight now").waitFor();
    await page.getByRole("link", { name: "New conversation" }).click();
    const list = page.getByRole("region", { name: "Conversations" });
    await expect
      .poll(() => list.getByRole("link").allTextContents())
      .toEqual(["How is the weather?", "How is the weather?"]);
    await list.getByText("2 replies").waitFor();
    await list.getByRole("link").last().click();
    await page.waitForURL(/thread=/);
    await page.getByText(/It is .* now, at length\./).waitFor();
  },
);
