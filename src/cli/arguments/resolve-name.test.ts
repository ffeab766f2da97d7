import { expect, test } from "vitest";
import { plural, resolveName } from "./resolve-name.ts";

const records = [
  { id: "01a20b16-d1d0-77b9-b5c0-00000000beef", name: "" },
  { id: "01a20b17-d1d0-77b9-b5c0-11110000beef", name: "" },
];
const among = { what: "delivery", listedBy: "deliveries list", list: () => Promise.resolve(records), none: "None." };

test("the end of several ids is rejected with the ids", async () => {
  await expect(resolveName("beef", among)).rejects.toThrow(
    `2 deliveries have an id that ends with "beef". Use the id of one:\n  ${records[0]?.id}`,
  );
});

test("nouns ending in y have their plural", () => {
  expect(["agent", "delivery"].map(plural)).toEqual(["agents", "deliveries"]);
});
