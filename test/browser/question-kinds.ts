import type { Page } from "playwright-core";
import { expect } from "vitest";

/** A kind of question, and how a person answers it on a page. */
interface Kind {
  readonly tool: string;
  readonly args: object;
  readonly answer: (page: Page) => Promise<void>;
  readonly says: string;
}

/** All kinds. What is typed is loaded again from the draft before it is sent. */
export const KINDS: readonly Kind[] = [
  { tool: "request_approval", args: {}, answer: (page) => press(page, "Approve"), says: '"approved":true' },
  {
    tool: "request_confirmation",
    args: { data: { amount: 84, note: "lamp", items: [1] } },
    async answer(page) {
      await page.getByLabel("note").fill("two lamps");
      await page.getByLabel("items").fill("[1, 2");
      await page.reload();
      await page.getByText("Not valid JSON.").waitFor();
      if ((await page.getByLabel("items").inputValue()) !== "[1, 2") throw new Error("The text is kept.");
      await page.getByLabel("items").fill("[1, 2]");
      await page.getByText("Not valid JSON.").waitFor({ state: "detached" });
      await page.reload();
      await press(page, "Confirm with changes");
    },
    says: '"note":"two lamps","items":[1,2]',
  },
  {
    tool: "request_choice",
    args: {
      choices: [
        { id: "a", label: "Alpha" },
        { id: "b", label: "Beta" },
      ],
    },
    async answer(page) {
      await page.getByLabel("Beta").check();
      await page.reload();
      await press(page, "Send answer");
    },
    says: '"selectedOptionId":"b"',
  },
  {
    tool: "request_input",
    args: {},
    async answer(page) {
      await page.getByLabel("Your answer").fill("Ship it on Friday");
      await page.reload();
      await page.getByRole("button", { name: "Send answer" }).waitFor();
      await page.keyboard.press("Control+Enter");
    },
    says: "Ship it on Friday",
  },
  {
    tool: "request_form",
    args: {
      fields: [
        { key: "seats", label: "Seats", type: "number", required: true },
        { key: "vip", label: "VIP", type: "toggle" },
        { key: "meal", label: "Meal", type: "select", options: ["any", { value: "veg", label: "Vegetarian" }] },
      ],
    },
    async answer(page) {
      await page.getByLabel("Seats").fill("3");
      await page.getByLabel("VIP").check();
      await page.getByLabel("Meal").selectOption({ label: "Vegetarian" });
      await page.reload();
      await press(page, "Send answer");
    },
    says: '"seats":3,"vip":true,"meal":"veg"',
  },
  {
    tool: "request_wizard",
    args: {
      steps: [
        { stepId: "one", type: "text_input", title: "Page one" },
        { stepId: "two", type: "approval", title: "Page two" },
      ],
    },
    async answer(page) {
      await page.getByText("page 1 of 2").waitFor();
      await page.getByLabel("Your answer").fill("first");
      await page.reload();
      await press(page, "Send answer");
      await page.getByText("page 2 of 2").waitFor();
      await expect.poll(() => page.evaluate("document.activeElement.tagName")).toBe("FORM");
      await press(page, "Approve");
    },
    says: '"first"',
  },
];

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
}
