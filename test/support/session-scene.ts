import { expect } from "vitest";
import { ADA_ENV, postAuth, whoIs } from "./accounts.ts";
import type { Answer } from "./api.ts";
import { eventually } from "./eventually.ts";
import { freePort } from "./free-port.ts";
import { createDatabase, startPeer, startService } from "./service.ts";
import type { TestDatabase, TestService } from "./service.ts";

/** Well below the time for which a process trusts its memory of a session. */
export const AT_ONCE_MS = 15_000;

/** Two processes with one database, on which Ada can sign in and others sign up. */
export interface SessionScene {
  readonly database: TestDatabase;
  readonly one: TestService;
  /** Behind a proxy: its public URL is https://muster.example. */
  readonly other: TestService;
  refresh(cookie: string, on?: TestService): Promise<Answer>;
  /** Waits until both processes reject a token that they have both just taken. */
  refusedEverywhere(token: string): Promise<void>;
  takenEverywhere(token: string): Promise<void>;
}

let shared: Promise<SessionScene> | undefined;

/** The processes that this worker keeps for all files with sessions. */
export function useSessionScene(): Promise<SessionScene> {
  return (shared ??= start());
}

function overHttp(cookie: string): string {
  return cookie.replace("__Host-", "");
}

/** The cookie of a session as the process behind a proxy would have set it. */
export function overHttps(cookie: string): string {
  return `__Host-${overHttp(cookie)}`;
}

async function start(): Promise<SessionScene> {
  const database = await createDatabase();
  const one = await startService({ databaseUrl: database.url, env: ADA_ENV });
  // Behind a proxy a service does not print its own URL.
  const PORT = String(await freePort());
  const env = { ...ADA_ENV, PORT, PUBLIC_URL: "https://muster.example" };
  const other = { ...(await startPeer({ databaseUrl: database.url, env })), url: `http://127.0.0.1:${PORT}` };
  return {
    database,
    one,
    other,
    refresh: (cookie, on = one) =>
      postAuth(on, "refresh", {}, { cookie: on === other ? overHttps(cookie) : overHttp(cookie) }),
    async refusedEverywhere(token) {
      for (const service of [one, other]) {
        await eventually("the token is rejected", async () => (await whoIs(service, token)).status === 401, AT_ONCE_MS);
      }
    },
    async takenEverywhere(token) {
      for (const service of [one, other]) expect((await whoIs(service, token)).status).toBe(200);
    },
  };
}
