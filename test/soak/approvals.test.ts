import { afterAll, beforeAll } from "vitest";
import { expectSingleVotes } from "../support/double-votes.ts";
import { startPeer, startService } from "../support/service.ts";
import type { TestService } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";

let first: TestService;
let second: TestService;

beforeAll(async () => {
  first = await startService();
  second = await startPeer({ databaseUrl: first.databaseUrl, keys: first.keys });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

verifies("approvals.race", "1,000 double votes over two processes are 1,000 votes", () =>
  expectSingleVotes([first, second], 20),
);
