import type { Call } from "./call.ts";
import type { CallOptions, ClientOptions, Query, Transport } from "./transport.ts";

/** What a method needs of its client. */
export interface Connection {
  readonly call: Call;
  readonly transport: Transport;
  readonly options: ClientOptions;
}

/** The arguments of a method before its options. */
type Arguments = "" | "params" | "body" | "params body";

/**
 * Defines an operation of the API: a function that makes the method of a client. Bundlers leave out operations that a
 * program does not use.
 * @param request the HTTP method and the path, as in `GET /a/{id}`; the parameters that are not in it go to the query
 * @param kind `repeatable` takes an `Idempotency-Key`; `list` returns pages
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the API's description has the types
export function operation<Method>(
  request: string,
  takes: Arguments,
  kind?: "repeatable" | "list",
): (connection: Pick<Connection, "call">) => Method;
export function operation(request: string, takes: Arguments, kind?: "repeatable" | "list") {
  const [method = "", template = ""] = request.split(" ");
  return function methodOf({ call }: Pick<Connection, "call">) {
    const send = (params: Query = {}, body: unknown, options?: CallOptions) => {
      const sent = { method, ...placed(template, params), body, isRepeatable: kind === "repeatable" };
      return kind === "list" ? call.list(sent, options) : call.one(sent, options);
    };
    if (takes === "params body") return send;
    if (takes === "params") return (params?: Query, options?: CallOptions) => send(params, undefined, options);
    if (takes === "body") return (body: unknown, options?: CallOptions) => send({}, body, options);
    return (options?: CallOptions) => send({}, undefined, options);
  };
}

/** Returns the path with its parameters, and the others. */
function placed(template: string, params: Query): { readonly path: string; readonly query: Query } {
  const query = { ...params };
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = query[name];
    delete query[name];
    return encodeURIComponent(String(value));
  });
  return { path, query };
}
