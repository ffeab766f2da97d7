import type { WholeResponse } from "../safe-fetch/fetch-whole.ts";
import { isText } from "../blobs/sniff-type.ts";
import { decodeMarkup } from "../text/decode-markup.ts";
import { formatSize } from "../text/format-size.ts";

/** The media type of a response without parameters, such as `text/html`; without one, the generic type. */
export function mediaTypeOf({ headers }: { readonly headers: Pick<Headers, "get"> }): string {
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  return type.trim().toLowerCase() || "application/octet-stream";
}

/** A body as a model sees it: its text, or its size if it is binary. Without a media type, the bytes decide. */
export function bodyText(response: WholeResponse): string {
  const { headers, body } = response;
  const isShowable = headers.has("content-type") ? isTextual(mediaTypeOf(response)) : isText(body);
  return isShowable || body.byteLength === 0
    ? decodeText(response)
    : `(${formatSize(body.byteLength)} that are no text)`;
}

function isTextual(mediaType: string): boolean {
  return mediaType.startsWith("text/") || /^application\/(.+\+)?(json|xml|x-www-form-urlencoded)$/.test(mediaType);
}

/** The body as text, in the charset of the header or page, else UTF-8; invalid bytes become U+FFFD. */
export function decodeText({ headers, body }: WholeResponse): string {
  return decodeMarkup(body, headers.get("content-type") ?? "");
}
