import { z } from "zod";
import { endpointUrl, optionalSigningSecret } from "./config/fields.ts";
import { defineDestination } from "./define-destination.ts";
import { postSigned } from "./delivery/post-signed.ts";

/** Posts the payload unchanged, signed when the route has a secret. */
export default defineDestination({
  type: "http",
  title: "HTTP webhook",
  description: "Posts the full payload as JSON to your own endpoint.",
  guide: {
    setup: "Your endpoint answers any 2xx. Compare the signature before you trust a request.",
    example: { url: "https://example.com/results", secret: "a signing secret" },
  },
  config: z.strictObject({
    url: endpointUrl("URL"),
    secret: optionalSigningSecret("Secret"),
  }),
  async deliver(context, { url, secret: key }, payload) {
    await postSigned(context, {
      url,
      event: payload.event,
      body: JSON.stringify(payload),
      keys: key === undefined ? [] : [key],
    });
  },
});
