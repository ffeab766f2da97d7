import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startProgress } from "./progress.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function requestOf(meta: { readonly progressToken?: string }) {
  const sent: unknown[] = [];
  const notify = ({ params }: { readonly params?: unknown }) => {
    sent.push(params);
    return Promise.resolve();
  };
  return { sent, request: { _meta: meta, notify } };
}

test("a call without events notifies progress every 15 seconds, until it ends", async () => {
  const { sent, request } = requestOf({ progressToken: "t" });
  const progress = startProgress(request);
  await vi.advanceTimersByTimeAsync(14_999);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await progress?.report([{ type: "TOOL_CALL_START", toolCallName: "search", toolCallId: "1" }]);
  await vi.advanceTimersByTimeAsync(14_999);
  expect(sent).toEqual([
    { progressToken: "t", progress: 1 },
    { progressToken: "t", progress: 2, message: "[calling search]" },
  ]);
  await vi.advanceTimersByTimeAsync(1);
  progress?.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(3);
});

test("a client without a progress token gets no notifications", () => {
  expect(startProgress(requestOf({}).request)).toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});
