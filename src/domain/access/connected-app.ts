import { z } from "zod";
import type { KeyScope } from "./api-key.ts";

/** The program behind a connected app, as it named itself when a person connected it. */
export const appClient = z.strictObject({
  client_id: z.string().describe("Its id as an OAuth client: a URL, or an id from registration."),
  name: z.string(),
  redirect_host: z
    .string()
    .describe("Where the person is sent back to: a host, `this computer`, or the scheme of a program."),
});

/** See {@link appClient}. */
export type AppClient = z.output<typeof appClient>;

/** What a program asks a person for. */
export interface AppRequest {
  /** The id of the key that it leads to, if a person allows it. */
  readonly keyId: string;
  readonly client: AppClient;
  readonly scopes: readonly KeyScope[];
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Returns what people should compare before they consent: the host of a redirect URI, or its scheme. */
export function redirectHost(redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri);
  if (protocol !== "http:" && protocol !== "https:") return `${protocol}//`;
  return LOOPBACK.has(hostname) ? "this computer" : host;
}
