import { afterAll, beforeAll, expect } from "vitest";
import type { Page } from "playwright-core";
import { answerJson, startFakeServer } from "../support/fake-server.ts";
import type { FakeServer } from "../support/fake-server.ts";
import { verifies } from "../support/verifies.ts";
import { sql } from "../support/workspace.ts";
import { useBrowser } from "./browser.ts";
import { openScene } from "./scene.ts";
import type { Scene } from "./scene.ts";

const SECRET = "Bearer very-secret-4711";
const NEW_SECRET = "Bearer very-secret-9999";
const CALLS = `
  insert into custom_tool_calls (id, workspace_id, tool_id, http_status, duration_ms)
  select gen_random_uuid(), workspace_id, id, 200, 5 from custom_tools, generate_series(1, 50)`;

let scene: Scene;
let orders: FakeServer;
const browser = useBrowser();
beforeAll(async () => {
  orders = await startFakeServer(({ path }, response) => answerJson(response, { path, state: "shipped" }));
  scene = await openScene({ env: { ALLOW_PRIVATE_URLS: "true" } });
});
afterAll(async () => {
  await scene.service.stop();
  await orders.close();
});

verifies(
  ["agent-screens.tool-secret", "agent-screens.tool-test", "agent-screens.tool-list"],
  "a tool is created with a secret header that is never shown again; it is called and its log read",
  async () => {
    const page = await browser.open(scene, "/tools", { mayFail: ["/console/api/tools"] });
    await page.getByRole("link", { name: "New tool" }).click();
    await page.getByLabel("Name", { exact: true }).fill("find order");
    await page.getByLabel("Description").fill("Finds an order.");
    await page.getByLabel("URL").fill(`${orders.url}/orders/{number}`);
    await page
      .getByLabel("Arguments", { exact: true })
      .fill('{"properties": {"number": {"type": "string"}}, "required": ["number"]}');
    await page.getByRole("button", { name: "Add header" }).click();
    await page.getByLabel("Header", { exact: true }).fill("Authorization");
    await page.getByLabel("Value", { exact: true }).fill(SECRET);
    await page.getByRole("button", { name: "Create tool" }).click();
    await page.getByText("must be up to 64 lower-case letters").waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.name")).toBe("name");
    await expect.poll(() => page.getByLabel("Value", { exact: true }).inputValue()).toBe(SECRET);
    await page.getByLabel("Name", { exact: true }).fill("find_order");
    await page.getByRole("button", { name: "Create tool" }).click();

    const value = page.getByLabel("Value of Authorization");
    await value.waitFor();
    await expect.poll(() => value.getAttribute("placeholder")).toContain("4711");
    expect(await everythingIn(page)).not.toContain("very-secret");
    const form = page.getByRole("dialog", { name: "find_order" });
    await form.getByLabel("Description").fill("Finds an order by its number.");
    await value.fill(NEW_SECRET);
    await form.getByRole("button", { name: "Save tool" }).click();
    await form.getByPlaceholder("9999").waitFor();
    await expect.poll(() => value.inputValue()).toBe("");

    await form.getByLabel("Arguments of the call").fill('{"number": "17"}');
    await form.getByRole("button", { name: "Call tool" }).click();
    await form.getByText("shipped").waitFor();
    await form.getByText("HTTP 200").waitFor();
    expect(orders.seen.at(-1)).toMatchObject({ path: "/orders/17", headers: { authorization: NEW_SECRET } });
    expect(await everythingIn(page)).not.toContain("very-secret");
    await form.getByRole("button", { name: "Close" }).click();
    await page.getByText("Finds an order by its number.").waitFor();
    await expect
      .poll(() => sql(scene.service.databaseUrl, "select name, method, description from custom_tools"))
      .toEqual([{ name: "find_order", method: "GET", description: "Finds an order by its number." }]);

    await page.keyboard.press("Control+k");
    await page.getByPlaceholder(/Find by name/).fill("find_ord");
    await page.getByRole("option", { name: "find_order", selected: true }).waitFor();
    await page.keyboard.press("Enter");

    const more =
      "insert into custom_tools select t.* from custom_tools c, generate_series(1, 50) n, jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'name', 'tool_' || n, 'created_at', now())) t";
    await sql(scene.service.databaseUrl, CALLS);
    await sql(scene.service.databaseUrl, more);
    await page.goto(`${scene.service.url}/w/my-workspace/tools`);
    await page.getByRole("link", { name: "tool_1", exact: true }).waitFor();
    expect(await page.getByRole("link", { name: "find_order" }).count()).toBe(0);
    await page.getByRole("button", { name: "Show more" }).click();
    await page.getByRole("link", { name: "find_order" }).click();
    await form.getByRole("button", { name: "Show more" }).click();
    await expect.poll(() => form.getByText("HTTP 200").count()).toBe(51);
    await sql(scene.service.databaseUrl, "delete from custom_tools where name like 'tool\\_%'");
  },
);

/** The document, and what its fields hold. */
async function everythingIn(page: Page): Promise<string> {
  const values = await page
    .locator("input, textarea")
    .evaluateAll((fields) => fields.map((field) => ("value" in field ? String(field.value) : "")));
  return [await page.content(), ...values].join("\n");
}
