import { afterAll, beforeAll, expect } from "vitest";
import type { Page } from "playwright-core";
import { z } from "zod";
import { consoleOf } from "../../support/api.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";
import { useBrowser } from "../browser.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";

const GOOD_KEY = "sk-good-key-1234";

let scene: Scene;
let provider: ScriptedProvider;
const browser = useBrowser();
beforeAll(async () => {
  provider = await startScriptedProvider(({ headers }, reply) => {
    if (headers.authorization !== `Bearer ${GOOD_KEY}`) return reply.refuse(401, "This key is not known.");
    reply.say("OK");
    reply.finish();
  });
  scene = await openScene({ env: { OPENAI_BASE_URL: provider.baseUrl } });
});
afterAll(async () => {
  await scene.service.stop();
  await provider.close();
});

verifies(
  "console.json-field",
  "a schema that is no JSON shows the place of its error, and is saved once mended",
  async () => {
    const page = await browser.open(scene, "/tools?tool=new");
    await page.getByLabel("Name", { exact: true }).fill("find_parcel");
    await page.getByLabel("Description").fill("Finds an order.");
    await page.getByLabel("URL").fill("https://example.org/orders");
    const schema = page.getByLabel("Arguments");
    const broken = '{\n  "type": "object",\n  "properties": { "id": { "type": string } }\n}';
    await schema.fill(broken);
    const fault = "Not valid JSON: unexpected character; names and text need double quotes (line 3, column 35).";
    await page.getByText(fault).waitFor();
    await expect.poll(() => schema.getAttribute("aria-invalid")).toBe("true");
    await page.getByRole("button", { name: "Go to error" }).click();
    await page.getByText("Line 3, column 35").waitFor();
    // The caret is there: what is typed replaces the wrong character.
    await page.keyboard.press("Shift+End");
    await page.keyboard.type('"string" } }');
    await page.getByText(fault).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Format" }).click();
    const mended = { type: "object", properties: { id: { type: "string" } } };
    await expect.poll(() => schema.inputValue()).toBe(JSON.stringify(mended, null, 2));
    await page.getByRole("button", { name: "Create tool" }).click();
    await page.getByText("find_parcel saved.", { exact: true }).waitFor();
    const stored = "select parameters from custom_tools where name = 'find_parcel'";
    await expect.poll(() => sql(scene.service.databaseUrl, stored)).toEqual([{ parameters: mended }]);
  },
);

verifies(
  "console.forms.overwrite",
  "a field that another person has changed is replaced by a second save only",
  async () => {
    const desk = consoleOf(scene.service, scene.service.keys.api);
    const tool = { name: "find_order", description: "Finds an order.", method: "GET", url: "https://example.org/o" };
    const { id } = z.looseObject({ id: z.string() }).parse((await desk.post("/tools", tool)).body);
    const page = await browser.open(scene, `/tools?tool=${id}`);
    const description = page.getByLabel("Description");
    await description.fill("Finds a parcel.");
    await page.getByLabel("Time limit").fill("5000");
    const elsewhere = { description: "Finds orders by number.", method: "POST" };
    expect((await desk.patch(`/tools/${id}`, elsewhere)).status).toBe(200);
    await page.getByRole("button", { name: "Save tool" }).click();
    await page.getByText("Changed elsewhere to “Finds orders by number.”. Save again to replace it.").waitFor();
    expect(await description.inputValue()).toBe("Finds a parcel.");
    expect((await desk.get(`/tools/${id}`)).body).toMatchObject(elsewhere);
    await page.getByRole("button", { name: "Save tool" }).click();
    await page.getByText("find_order saved.", { exact: true }).waitFor();
    const saved = { description: "Finds a parcel.", method: "POST", timeout_ms: 5_000 };
    expect((await desk.get(`/tools/${id}`)).body).toMatchObject(saved);
  },
);

verifies("agent-screens.key-test.dialog", "a provider's key is tested before it is stored", async () => {
  const page = await browser.open(scene, "/settings/models?provider=openai");
  const dialog = page.getByRole("dialog", { name: "OpenAI key" });
  await dialog.getByLabel("API key").fill("sk-another-key-5678");
  await dialog.getByRole("button", { name: "Test" }).click();
  await dialog.getByText("This key is not known").waitFor();
  await dialog.getByLabel("API key").fill(GOOD_KEY);
  await dialog.getByRole("button", { name: "Test" }).click();
  await dialog.getByText("Works").waitFor();
  await expect.poll(() => sql(scene.service.databaseUrl, "select provider from provider_keys")).toEqual([]);
  await dialog.getByRole("button", { name: "Save key" }).click();
  await page.getByText("Key ending in 1234").filter({ visible: true }).waitFor();
  await dialog.waitFor({ state: "hidden" });
  expect(await everythingIn(page)).not.toContain(GOOD_KEY);
});

verifies("agent-screens.key-fields", "a cloud's connection has its region, and says what its key is", async () => {
  const page = await browser.open(scene, "/settings/models?provider=amazon-bedrock", {
    mayFail: ["/console/api/provider-keys"],
  });
  const dialog = page.getByRole("dialog", { name: "Amazon Bedrock key" });
  await dialog.getByText("or an access key of AWS as ID:SECRET").waitFor();
  await dialog.getByLabel("API key").fill("a-key-of-the-test-4321");
  await dialog.getByLabel("Region").fill("Not a region");
  await dialog.getByRole("button", { name: "Save key" }).click();
  await dialog.getByText("must consist of lower-case letters").waitFor();
  await dialog.getByLabel("Region").fill("eu-central-1");
  await dialog.getByRole("button", { name: "Save key" }).click();
  await page.getByText("eu-central-1", { exact: true }).filter({ visible: true }).waitFor();
  const stored = "select region, resource from provider_keys where provider = 'amazon-bedrock'";
  expect(await sql(scene.service.databaseUrl, stored)).toEqual([{ region: "eu-central-1", resource: null }]);
  await page.goto(page.url().replace(/\/settings.*/, "/agents/new"));
  await page.getByLabel("Model", { exact: true }).selectOption("azure-openai");
  await page.getByLabel("Its name at the endpoint").fill("prod-writer");
  await page.getByText("No API key for Azure OpenAI").waitFor();
});

verifies("agent-screens.saved", "a voice and a template are created, changed and deleted", async () => {
  const page = await browser.open(scene, "/settings/voices", { mayFail: ["/console/api/voice-profiles"] });
  await page.getByRole("link", { name: "New voice" }).click();
  await page.getByRole("button", { name: "Save voice" }).click();
  await page.locator("input[aria-invalid=true]").waitFor();
  await page.getByLabel("Name").fill("Plain");
  await page.getByLabel("Instructions").fill("Short sentences.");
  await page.getByRole("button", { name: "Save voice" }).click();
  await page.getByRole("link", { name: "Plain" }).click();
  await page.getByLabel("Tone").selectOption("Empathetic");
  await page.getByRole("button", { name: "Save voice" }).click();
  await page.getByRole("cell", { name: "Empathetic" }).waitFor();
  await expect
    .poll(() => sql(scene.service.databaseUrl, "select name, tone, custom_instructions from voice_profiles"))
    .toEqual([{ name: "Plain", tone: "Empathetic", custom_instructions: "Short sentences." }]);

  await page.getByRole("link", { name: "Output templates" }).click();
  await page.getByRole("link", { name: "New template" }).click();
  await page.getByLabel("Name").fill("Memo");
  await page.getByLabel("Template", { exact: true }).fill("# {{task_title}}");
  await page.getByRole("button", { name: "Save template" }).click();
  await page.getByRole("link", { name: "Memo" }).click();
  await page.getByRole("button", { name: "Delete template" }).click();
  await page.getByRole("dialog", { name: "Delete the template Memo?" }).getByRole("button", { name: "Delete" }).click();
  await page.getByText("No templates yet").waitFor();
  await expect.poll(() => sql(scene.service.databaseUrl, "select name from output_templates")).toEqual([]);
});

/** The document, and what its fields hold. */
async function everythingIn(page: Page): Promise<string> {
  const values = await page
    .locator("input, textarea")
    .evaluateAll((fields) => fields.map((field) => ("value" in field ? String(field.value) : "")));
  return [await page.content(), ...values].join("\n");
}
