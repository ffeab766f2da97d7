import { expect, test } from "vitest";
import { afterEdit, NO_HISTORY, redone, undone } from "./history.ts";
import type { History } from "./history.ts";

interface State {
  readonly name: string;
  readonly steps: readonly { readonly note: string }[];
}

/** The states one after another, as edits. */
function edited(states: readonly State[]): History<State> {
  const none: History<State> = NO_HISTORY;
  return states.reduce((history, state, index) => {
    const before = states[index - 1];
    return before === undefined ? history : afterEdit(history, before, state);
  }, none);
}

const [empty, named] = [
  { name: "", steps: [] },
  { name: "A", steps: [] },
];

test("an undone edit is redone, and a new edit ends that", () => {
  const other = { name: "Other team", steps: [{ note: "" }] };
  const history = edited([empty, other]);
  const back = undone(history, other);
  expect(back?.state).toBe(empty);
  expect(back && redone(back.history, back.state)?.state).toBe(other);
  expect(back && redone(afterEdit(back.history, empty, named), named)).toBeUndefined();
  expect(undone(edited([empty]), empty)).toBeUndefined();
});

test("letters typed into one text are one edit; another text is another edit", () => {
  const typing = edited([empty, named, { name: "Ab", steps: [] }, { name: "Abc", steps: [] }]);
  expect(typing.past).toEqual([empty]);
  const notes = ["", "x", "xy"].map((note) => ({ name: "A", steps: [{ note }] }));
  expect(edited([named, ...notes]).past).toEqual([notes[0], named]);
  const replaced = [{ name: "one", steps: [] }, { name: "two", steps: [] }, named];
  expect(edited(replaced).past).toEqual([replaced[1], replaced[0]]);
});
