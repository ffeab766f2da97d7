import { z } from "zod";

/** Slack's check of a URL (https://docs.slack.dev/reference/events/url_verification). */
const urlVerification = z.object({ type: z.literal("url_verification"), challenge: z.string().max(1_000) });

/** The response to a sender's check of the URL, which starts no task. */
export type Handshake = { readonly challenge: string } | { readonly ok: true };

/** Recognizes a check of the URL: Slack's, and GitHub's `ping`; undefined for a delivery. */
export function handshakeOf(body: string, githubEvent: string | undefined): Handshake | undefined {
  if (githubEvent === "ping") return { ok: true };
  // Most bodies are not parsed for this.
  if (!body.includes("url_verification")) return undefined;
  const { data } = urlVerification.safeParse(jsonOf(body));
  return data && { challenge: data.challenge };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
