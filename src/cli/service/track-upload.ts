/** Called as an upload goes on, with what of it was sent, from 0 to 1. */
export type OnUpload = (share: number) => void;

/** A request with a form, whose body reports how much of it was sent; other requests as they are. */
export function trackUpload(init: RequestInit | undefined, onUpload: OnUpload | undefined): RequestInit | undefined {
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
