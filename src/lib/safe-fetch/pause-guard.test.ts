import { once } from "node:events";
import { createServer } from "node:http";
import type { LookupAddress } from "node:dns";
import { expect } from "vitest";
import { verifies } from "../../../test/support/verifies.ts";
import { callAfterCheck } from "./pause-guard.ts";
import { NO_PROXIES } from "./proxies.ts";
import { createSafeFetch } from "./safe-fetch.ts";

const PAUSE_MS = 1_200;
const HERE: LookupAddress[] = [{ address: "127.0.0.1", family: 4 }];

verifies(
  "engine.takeover.paused-call",
  "a process that stands still between the check and the sending of a call checks again before it sends",
  async () => {
    const order: string[] = [];
    const server = createServer((_, response) => {
      order.push("request");
      response.end("done");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    // The first connection waits for a process that stands still.
    const fetch = createSafeFetch({
      reach: "anywhere",
      proxies: NO_PROXIES,
      resolve(_, callback) {
        if (!order.includes("pause")) standStill(order);
        callback(null, HERE);
      },
    });

    const call = () => fetch(`http://service.example:${port}/`).then((response) => response.text());
    const check = async () => void order.push("check");
    expect(await callAfterCheck(check, call)).toBe("done");
    expect(order).toEqual(["check", "pause", "check", "request"]);
    // What the call throws for another reason is thrown.
    const failing = callAfterCheck(check, () => Promise.reject(new Error("no")));
    await expect(failing).rejects.toThrow("no");
    server.closeAllConnections();
    server.close();
  },
);

function standStill(order: string[]): void {
  order.push("pause");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}
