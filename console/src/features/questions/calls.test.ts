import { expect, test } from "vitest";
import { callsOf } from "./calls.ts";
import type { Question } from "./records.ts";

const ASKED = {
  interactionId: "01a2",
  toolCallId: "call_1",
  title: "Publish now?",
  description: "",
  timeoutMs: 60_000,
} as const;
const OPEN: Question = {
  id: "01a2",
  state: "open",
  subject: { kind: "run", id: "01b3", title: "Newsletter", status: "waiting_for_input" },
  team: null,
  agent: null,
  asked_at: "2026-01-01T00:00:00Z",
  expires_at: "2026-01-01T00:01:00Z",
  answer: null,
  answered_at: null,
  answered_by: null,
  answered_via: null,
  answered_name: null,
  votes: [],
  may_answer: null,
  problem: null,
  escalations: null,
  answered_vendor_id: null,
  request: { ...ASKED, interactionType: "approval" },
};

test.each([
  [OPEN.request, { approved: true }, "--approve"],
  [{ ...ASKED, interactionType: "confirm_data", data: { amount: 84 } }, { approved: true }, "--approve"],
  [
    { ...ASKED, interactionType: "choice", choices: [{ id: "van", label: "Own van" }] },
    { selectedOptionId: "van" },
    "--choice van",
  ],
  [{ ...ASKED, interactionType: "text_input" }, { text: "Go ahead." }, '--text "Go ahead."'],
  [
    { ...ASKED, interactionType: "form", fields: [{ key: "seats", label: "Seats", type: "number" }] },
    { values: { seats: 1 } },
    `--values '{"seats":1}'`,
  ],
] as const)("an open question has an answer that it takes: %o", (request, answer, option) => {
  const [, call] = callsOf({}, { ...OPEN, request });
  expect(call?.body).toEqual({ interactionId: "01a2", ...answer });
  expect(call?.command).toBe(`runs answer 01b3 ${option}`);
});

test("an answer to the page of a wizard names the page", () => {
  const request = { ...OPEN.request, wizardStepId: "two" };
  expect(callsOf({}, { ...OPEN, request })[1]?.body).toMatchObject({ wizardStepId: "two", approved: true });
});

test("a question that is closed has no answer to send", () => {
  expect(callsOf({ state: "answered" }, { ...OPEN, state: "answered" }).map(({ command }) => command)).toEqual([
    "questions list --state answered",
  ]);
});
