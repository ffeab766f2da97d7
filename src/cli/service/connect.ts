import { createClient } from "#client/index.ts";
import type { ClientOptions, MusterClient } from "#client/index.ts";
import { checkedKey } from "./check-key.ts";
import type { Settings } from "./settings.ts";
import { UnreachableError } from "../errors/cli-error.ts";

/** Called during an upload with the share that was sent, from 0 to 1. */
type OnUpload = (share: number) => void;

/** Every response of Muster has such an id. */
const REQUEST_ID = /^req_/;
/** Matches the response of TLS servers to plain HTTP. */
const EXPECTS_TLS = /HTTPS port|HTTPS server/i;

/** Options that differ between commands. */
interface ConnectOptions extends Pick<ClientOptions, "onWarning" | "timeoutMs"> {
  readonly onUpload?: OnUpload;
}

/**
 * Creates the client for these settings. A person waits for each response, so failed requests are not retried unless a
 * call asks for it. Errors are those of the client; the cause of one that this program recognises is a CliError.
 */
export function connect({ url, apiKey }: Settings, { onUpload, ...options }: ConnectOptions = {}): MusterClient {
  return createClient({
    ...options,
    url,
    key: apiKey ?? "",
    retries: 0,
    async fetch(input, init) {
      checkedKey(apiKey);
      // A redirect would carry the key to another host.
      const response = await fetch(input, { ...trackUpload(init, onUpload), redirect: "manual" });
      rejectRedirect(response);
      await assertFromMuster(response);
      return response;
    },
  });
}

/** @throws UnreachableError for a redirect: the key goes to no other URL than the chosen one. */
function rejectRedirect({ url, status, headers }: Response): void {
  const location = headers.get("location");
  if (status < 300 || status >= 400 || location === null) return;
  throw new UnreachableError(`${url} redirects to ${location}. Set --url or MUSTER_URL to the URL there.`);
}

/**
 * Accepts responses of Muster, and errors of a proxy in front of it.
 * @throws UnreachableError for the response of another service.
 */
async function assertFromMuster(response: Response): Promise<void> {
  const { url, status, headers } = response;
  if (REQUEST_ID.test(headers.get("x-request-id") ?? "") || status === 429 || status >= 500) return;
  const { origin, pathname } = new URL(url);
  if (EXPECTS_TLS.test(await response.text().catch(() => ""))) {
    throw new UnreachableError(`${origin} expects https. Use ${origin.replace("http:", "https:")}.`);
  }
  throw new UnreachableError(
    `The response of ${origin}${pathname} is not one of a Muster service. Check --url or MUSTER_URL.`,
  );
}

/** Makes a request with a form report its upload progress; returns other requests unchanged. */
function trackUpload(init: RequestInit | undefined, onUpload: OnUpload | undefined): RequestInit | undefined {
  const form = init?.body;
  if (!(form instanceof FormData) || onUpload === undefined) return init;
  const encoded = new Response(form);
  const headers = new Headers(init?.headers);
  headers.set("Content-Type", encoded.headers.get("Content-Type") ?? "multipart/form-data");
  const total = [...form.values()].reduce((sum, part) => sum + (typeof part === "string" ? part.length : part.size), 0);
  let sent = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      sent += piece.length;
      onUpload(sent / total);
      controller.enqueue(piece);
    },
  });
  return { ...init, headers, body: encoded.body?.pipeThrough(counted) ?? null, duplex: "half" };
}
