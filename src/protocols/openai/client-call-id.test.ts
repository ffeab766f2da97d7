import { expect, test } from "vitest";
import { newId } from "#lib/ids.ts";
import { clientCallId, parseClientCallId } from "./client-call-id.ts";

test("an id names its call and fits into OpenAI's 40 characters", () => {
  const call = { taskId: newId(), seq: 1_234_567, index: 99 };
  const id = clientCallId(call);
  expect(id).toMatch(/^[A-Za-z0-9_-]{1,40}$/);
  expect(parseClientCallId(id)).toEqual(call);
});

test("ids of other services are rejected", () => {
  for (const id of ["", "call_abc", "toolu_01A09q90qw90lq917835lq9", `call_${"a".repeat(22)}_1`]) {
    expect(parseClientCallId(id)).toBeUndefined();
  }
});
