import { createClient } from "#client/index.ts";
import type { ClientOptions, MusterClient } from "#client/index.ts";
import { checkedKey } from "./check-key.ts";
import { assertFromMuster, rejectRedirect } from "./recognise-service.ts";
import type { Settings } from "./settings.ts";
import { trackUpload } from "./track-upload.ts";
import type { OnUpload } from "./track-upload.ts";

/** What is not the same for all commands. */
interface ConnectOptions extends Pick<ClientOptions, "onWarning" | "timeoutMs"> {
  readonly onUpload?: OnUpload;
}

/**
 * The client of the service and the key of these settings. A person waits for each answer: what fails is not sent again
 * unless a call asks for it. Errors are those of the client; the cause of one that this program recognises is a CliError.
 */
export function connect({ url, apiKey }: Settings, { onUpload, ...options }: ConnectOptions = {}): MusterClient {
  return createClient({
    ...options,
    url,
    key: apiKey ?? "",
    retries: 0,
    async fetch(input, init) {
      checkedKey(apiKey);
      // A redirect would carry the key to another address.
      const response = await fetch(input, { ...trackUpload(init, onUpload), redirect: "manual" });
      rejectRedirect(response);
      await assertFromMuster(response);
      return response;
    },
  });
}
