import { MusterError } from "./muster-error.ts";
import { pageOf } from "./page.ts";
import type { Page } from "./page.ts";
import type { CallOptions, OperationRequest, Transport } from "./transport.ts";

/** Carries out operations; the generated methods are made of it. */
export interface Call {
  /** Answers with the body of the response. */
  one<Result>(request: OperationRequest, options: CallOptions | undefined): Promise<Result>;
  /** Answers with a page of a list. */
  list<Item>(request: OperationRequest, options: CallOptions | undefined): Promise<Page<Item>>;
}

/** Carries out operations by a transport. */
export function createCall(transport: Transport): Call {
  async function list<Item>(request: OperationRequest, options: CallOptions = {}): Promise<Page<Item>> {
    const response = await transport.send(request, options);
    return pageOf<Item>(await bodyOf(response), response.headers.get("Link"), (cursor) =>
      list({ ...request, query: { ...request.query, cursor } }, options),
    );
  }
  return {
    list,
    async one(request, options = {}) {
      return bodyOf(await transport.send(request, options));
    },
  };
}

/** The body as the API's description types it: the service checks its answers against it in its own tests. */
async function bodyOf<Body>(response: Response): Promise<Body> {
  const text = await response.text();
  try {
    return JSON.parse(text === "" ? "null" : text);
  } catch (cause) {
    const { status, url } = response;
    throw new MusterError(`The response of ${url} is not JSON.`, { code: "invalid_response", url, status, cause });
  }
}
