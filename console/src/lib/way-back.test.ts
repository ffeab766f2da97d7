import { expect, test } from "vitest";
import { stepsBack } from "./way-back.ts";

const LIST = "/w/office/runs";
const RUN = "/w/office/runs/1";

test("the way back passes over other states of the page", () => {
  expect(stepsBack(["/w/office", LIST, LIST, RUN], 3)).toBe(1);
  expect(stepsBack([LIST, RUN, RUN, RUN], 3)).toBe(3);
  // Later entries are those from which the person has gone back.
  expect(stepsBack([LIST, RUN, "/w/office/agents"], 1)).toBe(1);
});

test("only a page of a workspace is a way back", () => {
  expect(stepsBack([RUN], 0)).toBeUndefined();
  expect(stepsBack(["/sign-in", RUN], 1)).toBeUndefined();
  expect(stepsBack([LIST, "/r/1/answer", RUN], 2)).toBe(2);
  // After a reload.
  expect(stepsBack(Object.assign([], { 4: RUN }), 4)).toBeUndefined();
});
