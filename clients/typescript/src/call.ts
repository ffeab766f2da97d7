import { MusterError } from "./muster-error.ts";
import { pageOf } from "./page.ts";
import type { Page } from "./page.ts";
import type { Answer, CallOptions, OperationRequest, Transport } from "./transport.ts";

/** Executes operations; the generated methods call it. */
export interface Call {
  /** Returns the body of the response. */
  one<Result>(request: OperationRequest, options: CallOptions | undefined): Promise<Result>;
  /** Returns a page of a list. */
  list<Item>(request: OperationRequest, options: CallOptions | undefined): Promise<Page<Item>>;
}

/** Creates the executor of operations for a transport. */
export function createCall(transport: Transport): Call {
  async function list<Item>(request: OperationRequest, options: CallOptions = {}): Promise<Page<Item>> {
    const response = await transport.send(request, options);
    return pageOf<Item>(bodyOf(response), response.headers.get("Link"), (cursor) =>
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

/** Returns the body, typed by the API's description: the service's tests check its responses against it. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the API's description has the type
function bodyOf<Body>({ text, url, status }: Answer): Body {
  try {
    return JSON.parse(text === "" ? "null" : text);
  } catch (cause) {
    throw new MusterError(`The response of ${url} is not JSON.`, { code: "invalid_response", url, status, cause });
  }
}
