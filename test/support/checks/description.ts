import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "vitest";
import { z } from "zod";
import { send } from "../api.ts";
import type { Answer, Sent } from "../api.ts";
import type { TestAccess } from "../service.ts";

const content = z.record(z.string(), z.looseObject({ schema: z.looseObject({}).optional() }));
const operation = z.looseObject({
  requestBody: z.looseObject({ content }).optional(),
  responses: z.record(z.string(), z.looseObject({ $ref: z.string().optional(), content: content.optional() })),
});
const documentShape = z.looseObject({
  openapi: z.string(),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.looseObject({})) }),
});

const identified = z.looseObject({ id: z.uuid() });

/** A request whose answer is checked. */
export interface Request {
  /** In place of the operation's path. */
  readonly at?: string;
  readonly body?: unknown;
  /** An envelope key; by default the service's own. */
  readonly key?: string;
  /** In place of the key. */
  readonly headers?: Sent["headers"];
}

/** The OpenAPI document of a service, to hold answers against. */
export interface Described {
  readonly document: z.output<typeof documentShape>;
  /** Knows the document as `openapi`. */
  readonly ajv: Ajv2020;
  /** Calls an operation and expects an answer as the document describes it. */
  checked(method: string, path: string, sent?: Request): Promise<Answer>;
}

/** Reads the document of a service. @param query `?api_version=2` for that version instead of the first one */
export async function readDescription(service: TestAccess, query = "?api_version=1"): Promise<Described> {
  const document = documentShape.parse((await send("GET", `${service.url}/openapi.json${query}`)).body);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ ...document, $id: "openapi" });

  async function checked(method: string, path: string, sent: Request = {}): Promise<Answer> {
    const answer = await send(method, service.url + (sent.at ?? path), {
      headers: sent.headers ?? { "x-api-key": sent.key ?? service.keys.api },
      ...("body" in sent && { body: sent.body }),
    });
    const described = document.paths[path]?.[method.toLowerCase()]?.responses ?? {};
    const status = String(answer.status) in described ? String(answer.status) : "default";
    expect([method, path, answer.status, Object.keys(described)]).toEqual([
      method,
      path,
      answer.status,
      expect.arrayContaining([status]),
    ]);
    const { $ref } = described[status] ?? {};
    const response = $ref?.split("/").slice(1) ?? ["paths", path, method.toLowerCase(), "responses", status];
    const type = answer.headers.get("Content-Type")?.split(";")[0] ?? "";
    const pointer = [...response, "content", type, "schema"];
    if (answer.text === "") return answer;
    const fragment = pointer
      .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
      .join("/");
    // By its name, so that it is compiled once for all answers.
    const validate = ajv.getSchema(`openapi#/${fragment}`);
    if (validate === undefined) throw new Error(`The document has no ${fragment}.`);
    void validate(type.endsWith("json") ? answer.body : answer.text);
    expect([answer.text.slice(0, 200), validate.errors ?? []]).toEqual([answer.text.slice(0, 200), []]);
    return answer;
  }

  return { document, ajv, checked };
}

/** The id of a record that was answered. @throws ZodError when it has none */
export function idOf({ body }: Answer): string {
  return identified.parse(body).id;
}
