import { expect } from "vitest";
import { answerJson, startFakeServer } from "../fake-server.ts";
import type { FakeServer, SeenRequest } from "../fake-server.ts";
import { PAYLOAD, deliver } from "./deliver.ts";
import { SAMPLES } from "./samples.ts";

/** A result that each vendor shortens. */
export const LONG = { ...PAYLOAD, result_full: "ß".repeat(5_000) };
/** The title of what is created elsewhere. */
export const TITLE = "[Service] Weekly report — completed";
/** Its text. */
export const BODY =
  "Event: task.completed\nAgent: Writer\nStatus: completed\nTimestamp: 2026-11-20T10:30:00.000Z\n\nAll is well.";

/** The vendors whose replies are read, by path. */
const VENDORS = [
  ["/graphql", "linear"],
  ["/v1/databases", "notion"],
] as const;

type Options = Partial<Parameters<typeof deliver>[0]>;

/** A server that takes whatever destinations send, in place of their vendors. */
export interface VendorScene {
  readonly server: FakeServer;
  /** Delivers by a sample's configuration; returns the requests that arrived. */
  requestsOf(type: string, options?: Options): Promise<readonly SeenRequest[]>;
  /** The only request of a delivery. */
  requestOf(type: string, options?: Options): Promise<SeenRequest>;
  close(): Promise<void>;
}

/** Starts the server. */
export async function openVendorScene(): Promise<VendorScene> {
  const server = await startFakeServer((request, response) => {
    const type = VENDORS.find(([path]) => request.path.startsWith(path))?.[1] ?? "";
    answerJson(response, SAMPLES[type]?.reply?.(request) ?? { ok: true });
  });
  const requestsOf: VendorScene["requestsOf"] = async (type, options = {}) => {
    const before = server.seen.length;
    const config = SAMPLES[type]?.config(server.url) ?? {};
    const outcome = await deliver({ type, config, base: server.url, ...options });
    expect(outcome).toMatchObject({ status: "success", error: null });
    return server.seen.slice(before);
  };
  return {
    server,
    requestsOf,
    async requestOf(type, options) {
      const [request, ...others] = await requestsOf(type, options);
      expect(others).toEqual([]);
      if (request === undefined) throw new Error("Nothing was sent.");
      return request;
    },
    close: () => server.close(),
  };
}
