import { expect, test } from "vitest";
import { describeError } from "./describe-error.ts";

test("the log has an error's message, code and causes, and nothing that a library attached to it", () => {
  const cause = Object.assign(new Error("connection lost"), { code: "57P01", client: { password: "hunter2" } });
  const error = Object.assign(new TypeError("could not save", { cause }), { requestBody: "what a user wrote" });
  const described = describeError(error);
  expect(described).toEqual({
    type: "TypeError",
    message: "could not save",
    stack: error.stack,
    cause: { type: "Error", message: "connection lost", stack: cause.stack, code: "57P01" },
  });
});

test("errors of an aggregate are described, and causes that lead back are cut off", () => {
  const circular = new Error("again");
  circular.cause = circular;
  expect(JSON.stringify(describeError(circular)).match(/"message":"again"/g)).toHaveLength(5);
  const aggregate = new AggregateError([new Error("first"), "second"], "all failed");
  expect(describeError(aggregate)).toMatchObject({ errors: [{ message: "first" }, "second"] });
});
