import { UnreachableError } from "../errors/cli-error.ts";

/**
 * Fetches the content of a file. Its URL needs no key; only its path is used, since the service may know itself under
 * another address than this client.
 * @throws UnreachableError
 */
export async function fetchContent(serviceUrl: string, file: { readonly url: string }): Promise<Uint8Array> {
  const { pathname, search } = new URL(file.url);
  try {
    const response = await fetch(serviceUrl + pathname + search);
    if (response.ok) return await response.bytes();
    throw new Error(`status ${response.status}`);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new UnreachableError(`Cannot download the file: ${reason}.`, { cause });
  }
}
