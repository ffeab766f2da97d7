import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { createRefresher } from "./refresher.ts";

test("what changes while a query is fetched for the first time is fetched again", async () => {
  const client = new QueryClient();
  const head = Promise.withResolvers<string>();
  const heads = [head.promise, Promise.resolve("completed")];
  const steps = ["none", "one"];
  observe(client, "head", () => heads.shift() ?? "again");
  observe(client, "steps", () => steps.shift() ?? "again");
  await expect.poll(() => client.getQueryData(["run", "steps"])).toBe("none");
  const refresher = createRefresher(client);
  refresher.refresh([["run"]]);
  await expect.poll(() => client.getQueryData(["run", "steps"])).toBe("one");
  head.resolve("running");
  await expect.poll(() => client.getQueryData(["run", "head"])).toBe("completed");
  refresher.stop();
  client.clear();
});

function observe(client: QueryClient, part: string, queryFn: () => string | Promise<string>): void {
  new QueryObserver(client, { queryKey: ["run", part], queryFn }).subscribe(() => undefined);
}
