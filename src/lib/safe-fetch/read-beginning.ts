import type { Response } from "undici";

/**
 * Reads at most `maxBytes` of a body and gives up the rest. A body that breaks off or times out counts as far as it
 * came: the status has told already what became of the request.
 */
export async function readBeginning({ body }: Pick<Response, "body">, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size >= maxBytes) break;
    }
  } catch {
    // What came is all there is.
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}
