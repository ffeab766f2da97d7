import { UnreachableError } from "../errors/cli-error.ts";

/** Every response of Muster has such an id. */
const REQUEST_ID = /^req_/;
/** What servers that speak TLS answer to plain HTTP. */
const EXPECTS_TLS = /HTTPS port|HTTPS server/i;

/** @throws UnreachableError for a redirect: the key goes to no other address than the chosen one. */
export function rejectRedirect({ url, status, headers }: Response): void {
  const location = headers.get("location");
  if (status < 300 || status >= 400 || location === null) return;
  throw new UnreachableError(`${url} redirects to ${location}. Set --url or MUSTER_URL to the address there.`);
}

/**
 * Lets the responses of Muster pass, and those of a proxy in front of it that has trouble.
 * @throws UnreachableError for the response of another service.
 */
export async function assertFromMuster(response: Response): Promise<void> {
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
