import { afterAll, beforeAll, expect } from "vitest";
import { callOf } from "../../support/interactions.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";
import { PHONE, useBrowser } from "../browser.ts";
import { openScene } from "../scene.ts";
import type { Scene } from "../scene.ts";

const HOUR_MS = 3_600_000;
const FOCUSED = "document.activeElement.ariaLabel";
/** The element with the focus, if something else is drawn over its middle. */
const COVERED = `(() => {
  const { activeElement: element } = document;
  const { left, top, width, height } = element.getBoundingClientRect();
  const above = document.elementFromPoint(left + width / 2, Math.min(top + height / 2, innerHeight - 1));
  return element.contains(above) || above?.contains(element) ? "" : element.outerHTML;
})()`;
/** The element with the focus, if a part of it is beside what its line shows. */
const OUTSIDE = `(() => {
  const { activeElement: element } = document;
  const [own, line] = [element, element.closest(".overflow-x-auto, [class*=strip]")].map((each) => each.getBoundingClientRect());
  return own.left >= line.left && own.right <= line.right ? "" : element.outerHTML;
})()`;
/** The space between the field with the focus and the buttons of its form, in pixels. */
const ABOVE_BUTTONS = `(() => {
  const { activeElement: element } = document;
  const button = element.form.querySelector("button[type=submit]");
  return button.parentElement.getBoundingClientRect().top - element.getBoundingClientRect().bottom;
})()`;

let scene: Scene;
const browser = useBrowser();
beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.service.stop());

verifies("console.keyboard", "a run is found, opened and cancelled, and a question answered, by keyboard", async () => {
  const agent = await createAgent(scene.api, { name: "Sleeper", tools: ["wait", "request_approval"] });
  const assigned_agent_id = agent.id;
  const description = callOf("wait", { seconds: 60 });
  const { id: sleeping } = await createTask(scene.api, { title: "Sleep for long", description, assigned_agent_id });
  const question = { title: "May it go on?", timeoutMs: HOUR_MS };
  const asks = { title: "Asks first", description: callOf("request_approval", question), assigned_agent_id };
  const { id: asking } = await createTask(scene.api, asks);
  await taskIn(scene.api, sleeping, "running");
  await taskIn(scene.api, asking, "waiting_for_input");
  const page = await browser.open(scene, "/runs");
  const { keyboard } = page;
  await page.getByRole("link", { name: "Sleep for long" }).waitFor();
  await keyboard.press("/");
  await keyboard.type("sleep for");
  await page.waitForURL(/q=sleep/);
  await page.getByRole("link", { name: "Asks first" }).waitFor({ state: "detached" });
  await keyboard.press("Escape");
  await expect.poll(() => page.getByLabel("Title or id").inputValue()).toBe("sleep for");
  await keyboard.press("j");
  await keyboard.press("Enter");
  await page.waitForURL(`**/runs/${sleeping}*`);
  await page.waitForURL(/step=/);
  // The row that had the focus is gone.
  await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("content");
  await keyboard.press("k");
  await page.getByRole("row", { name: "Model call 1, Completed", selected: true }).waitFor();
  await keyboard.press("x");
  await page.getByRole("dialog").getByRole("button", { name: "Cancel run" }).waitFor();
  await keyboard.press("Enter");
  await taskIn(scene.api, sleeping, "cancelled");
  await page.getByRole("dialog").waitFor({ state: "detached" });

  // Without a pause, however busy the machine is: the second key counts for a second.
  await Promise.all([keyboard.press("g"), keyboard.press("q")]);
  // Another test's question may be due earlier.
  await page.getByRole("link", { name: /May it go on/ }).waitFor();
  await page.getByRole("heading", { name: "May it go on?", level: 2 }).waitFor();
  await keyboard.press("y");
  await keyboard.press("Enter");
  await taskIn(scene.api, asking, "completed");
});

verifies("console.focus", "the focus returns where it came from, and is never under what stays in view", async () => {
  const agent = await createAgent(scene.api, { name: "Long form" });
  const page = await browser.open(scene, `/agents/${agent.id}`);
  const { keyboard } = page;
  const actions = page.getByRole("button", { name: "More actions" });
  const dialog = page.getByRole("dialog");
  await actions.focus();
  await keyboard.press("Enter");
  await page.getByRole("menuitem", { name: "Delete" }).press("Enter");
  await dialog.getByRole("heading", { name: /^Delete/ }).waitFor();
  await keyboard.press("Escape");
  await expect.poll(() => page.evaluate(FOCUSED)).toBe("More actions");
  await keyboard.press("c");
  await dialog.getByLabel("Title").waitFor();
  await keyboard.press("Escape");
  await expect.poll(() => page.evaluate(FOCUSED)).toBe("More actions");

  await page.getByLabel("Config").focus();
  const stops: unknown[] = [];
  for (let stop = 0; stop < 20; stop++) {
    await keyboard.press("Shift+Tab");
    stops.push(await page.evaluate(COVERED));
  }
  expect(stops.filter((covered) => covered !== "")).toEqual([]);
});

verifies("console.focus", "on a phone, all of a tab or a filter with the focus is in the window", async () => {
  const { id } = await createTask(scene.api, { title: "Short" });
  for (const [path, group, stops] of [
    [`/runs/${id}`, "Views", 5],
    ["/runs", "Filter runs", 9],
  ] as const) {
    const page = await browser.open(scene, path, { viewport: PHONE });
    const first = page.getByLabel(group).locator("a, button").first();
    await first.focus();
    const outside: unknown[] = [];
    for (const key of ["Tab", "Shift+Tab"]) {
      for (let stop = 1; stop < stops; stop++) {
        await page.keyboard.press(key);
        outside.push(await page.evaluate(OUTSIDE));
      }
    }
    expect(outside.filter((each) => each !== "")).toEqual([]);
  }
});

verifies("console.focus", "on a phone, no part of a field is under the buttons of an answer", async () => {
  const fields = Array.from({ length: 8 }, (_, n) => ({ key: `f${n}`, label: `Field ${n}`, type: "text" }));
  const agent = await createAgent(scene.api, { name: "Asker", tools: ["request_form"] });
  const { id } = await createTask(scene.api, {
    title: "Many fields",
    description: callOf("request_form", { title: "Fill this in", fields }),
    assigned_agent_id: agent.id,
  });
  const page = await browser.open(scene, `/runs/${id}`, { viewport: PHONE });
  await page.getByLabel("Field 0").focus();
  const gaps: number[] = [];
  for (const _ of fields) {
    gaps.push(Number(await page.evaluate(ABOVE_BUTTONS)));
    await page.keyboard.press("Tab");
  }
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0);
});

verifies("console.focus", "on a phone, a question takes the place of the list, and the focus stays", async () => {
  const agent = await createAgent(scene.api, { name: "Picker", tools: ["request_approval"] });
  const description = callOf("request_approval", { title: "Pick me" });
  await createTask(scene.api, { title: "Asks", description, assigned_agent_id: agent.id });
  const page = await browser.open(scene, "/questions", { viewport: PHONE });
  for (const name of [/^Pick me/, "All questions"]) {
    const link = page.getByRole("main").getByRole("link", { name });
    await link.press("Enter");
    await link.waitFor({ state: "hidden" });
    expect(await page.evaluate("document.activeElement.id")).toBe("content");
  }
});

verifies("console.keys.typed-on", "what is typed on after its field has gone runs no shortcut", async () => {
  const page = await browser.open(scene, "/runs");
  await page.getByLabel("Title or id").waitFor();
  const typeOn = (end: string) => `
    const field = document.body.appendChild(document.createElement("input"));
    const press = (target, key) => target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    press(field, "a");
    if ("${end}" !== "") press(field, "${end}");
    field.remove();
    press(document.body, "c")`;
  await page.evaluate(typeOn(""));
  await page.evaluate("new Promise(requestAnimationFrame)");
  expect(await page.getByRole("dialog").count()).toBe(0);
  await page.evaluate(typeOn("Enter"));
  await page.getByRole("dialog", { name: "New task" }).waitFor();
});
