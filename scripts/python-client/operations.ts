import { isList, isRepeatable, placedParameters, separated } from "../api-operations.ts";
import type { ApiOperation, ApiParameter } from "../api-operations.ts";
import { docstring, layOut } from "./layout.ts";
import { pascal } from "./models.ts";
import type { Models } from "./models.ts";

/** A method of both clients. */
interface Method {
  readonly name: string;
  readonly path: string;
  readonly verb: string;
  readonly summary: string;
  readonly about: string;
  readonly parameters: readonly Argument[];
  readonly body: { readonly type: string; readonly isRequired: boolean; readonly isForm: boolean } | undefined;
  readonly isRepeatable: boolean;
  /** The type of the result, or of an item of a list. */
  readonly result: string;
  readonly isList: boolean;
}

interface Argument {
  readonly name: string;
  /** The name in the request. */
  readonly sent: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string | undefined;
}

/** The classes of a module's operations, one for each client. */
export function operationClasses(name: string, operations: readonly ApiOperation[], models: Models): readonly string[] {
  const methods = operations.flatMap((operation) => methodsOf(operation, models));
  const sync = methods.flatMap((method) => ["", ...methodText(method, "sync")]);
  const awaited = methods.flatMap((method) => ["", ...methodText(method, "async")]);
  return [
    ...methods.flatMap(descriptionOf),
    "",
    "",
    `class ${pascal(name)}Operations(Calls):`,
    ...docstring(`Operations on ${name.replaceAll("-", " ")}.`, 4),
    ...sync,
    "",
    "",
    `class Async${pascal(name)}Operations(AsyncCalls):`,
    ...docstring(`Operations on ${name.replaceAll("-", " ")}, to await.`, 4),
    ...awaited,
  ];
}

function methodsOf(operation: ApiOperation, models: Models): readonly Method[] {
  const { "x-instead": instead, ...rest } = operation;
  if (instead === undefined) return plainMethodsOf(operation, models);
  const [plain, other] = separated(rest, instead);
  const { as: operationId, summary } = instead;
  return [plain, { ...other, operationId, summary, description: "" }].flatMap((each) => plainMethodsOf(each, models));
}

function plainMethodsOf(operation: ApiOperation, models: Models): readonly Method[] {
  const { operationId, path, method, summary, description = "", "x-reads-one-as": one } = operation;
  const parameters = placedParameters(operation).map((each) => argumentOf(each, operationId, models));
  const common = {
    name: snake(operationId),
    path,
    verb: method.toUpperCase(),
    summary: `${summary}.`,
    about: description.replace(`${summary}. `, ""),
    parameters,
    body: bodyOf(operation, models),
    isRepeatable: isRepeatable(operation),
  };
  const result = resultOf(operation);
  if (!isList(operation))
    return [
      {
        ...common,
        result: result.map((each) => models.typeOf(each, `${pascal(operationId)}Result`)).join(" | ") || "None",
        isList: false,
      },
    ];
  const [item, record] = listed(result, models);
  const list = { ...common, parameters: parameters.filter(({ name }) => one === undefined || name !== "id") };
  if (one === undefined) return [{ ...list, result: item, isList: true }];
  const id = parameters.filter(({ name }) => name === "id").map((each) => ({ ...each, isRequired: true, type: "str" }));
  return [
    { ...list, result: item, isList: true },
    { ...common, name: snake(one), summary: "Read one.", parameters: id, result: record, isList: false },
  ];
}

function argumentOf({ name = "", required, description, schema }: ApiParameter, of: string, models: Models): Argument {
  const plain = snake(name);
  return {
    name: plain === "from" ? "from_" : plain,
    sent: name,
    type: models.typeOf(schema ?? {}, pascal(of) + pascal(name)),
    isRequired: required === true,
    description,
  };
}

function bodyOf({ operationId, requestBody }: ApiOperation, models: Models): Method["body"] {
  if (requestBody === undefined) return undefined;
  const json = requestBody.content["application/json"];
  const form = requestBody.content["multipart/form-data"];
  const type = models.typeOf((json ?? form)?.schema ?? {}, `${pascal(operationId)}Body`);
  return { type, isRequired: requestBody.required === true, isForm: json === undefined };
}

function resultOf({ responses }: ApiOperation): readonly unknown[] {
  return Object.entries(responses).flatMap(([status, { content = {} }]) => {
    const schema = content["application/json"]?.schema;
    return /^20[0-2]$/.test(status) && schema !== undefined ? [schema] : [];
  });
}

/** The types of an item and of the record that a list endpoint returns for an `id`. */
function listed([schema]: readonly unknown[], models: Models): readonly [string, string] {
  const [list = "", record = ""] = models.typeOf(schema, "Listed").split(" | ");
  const [, item] = /^list\[(.*)\]$/.exec(list) ?? [];
  if (item !== undefined) return [item, record];
  const [, items] = /^ {4}items: list\[(.*)\]$/m.exec(models.classes.get(list) ?? "") ?? [];
  if (items === undefined) throw new Error(`${list} has no items.`);
  return [items, record];
}

function descriptionOf({ name, verb, path, isRepeatable, body, result }: Method): readonly string[] {
  const given = [`"${verb}"`, `"${path}"`];
  if (isRepeatable) given.push("repeatable=True");
  if (body?.isForm === true) given.push("form=True");
  return layOut(`_${name.toUpperCase()}: Operation[${result}] = Operation(${given.join(", ")})`, 0);
}

function methodText(method: Method, kind: "sync" | "async"): readonly string[] {
  const { name, parameters, body, isRepeatable, result, isList } = method;
  const page = kind === "async" ? "AsyncPage" : "Page";
  const returned = isList ? `${page}[${result}]` : result;
  const call = `self._${isList ? "list" : "one"}(${passed(method)})`;
  const optional = [
    ...parameters.filter(({ isRequired }) => !isRequired).map(({ name, type }) => `${name}: ${orNone(type)} = None`),
    ...(isRepeatable ? ["idempotency_key: str | None = None"] : []),
  ];
  const args = [
    "self",
    ...parameters.filter(({ isRequired }) => isRequired).map(({ name, type }) => `${name}: ${type}`),
    ...(body === undefined ? [] : [`body: ${body.isRequired ? body.type : `${orNone(body.type)} = None`}`]),
    ...(optional.length === 0 ? [] : ["*", ...optional]),
  ];
  return [
    ...layOut(`${kind === "async" ? "async " : ""}def ${name}(${args.join(", ")}) -> ${returned}:`, 4),
    ...docstring(documentation(method), 8),
    ...layOut(`return ${kind === "async" ? "await " : ""}${call}`, 8),
  ];
}

function passed({ name, parameters, body, isRepeatable }: Method): string {
  const params = parameters.map(({ name, sent }) => `"${sent}": ${name}`).join(", ");
  return [
    `_${name.toUpperCase()}`,
    ...(parameters.length === 0 ? [] : [`params={${params}}`]),
    ...(body === undefined ? [] : ["body=body"]),
    ...(isRepeatable ? ["idempotency_key=idempotency_key"] : []),
  ].join(", ");
}

function documentation({ summary, about, parameters }: Method): string {
  const described = parameters.flatMap(({ name, description }) =>
    description === undefined ? [] : [`    ${name}: ${description.replaceAll("\n", " ")}`],
  );
  return [
    summary,
    ...(about === "" || about === summary ? [] : ["", about]),
    ...(described.length === 0 ? [] : ["", "Args:", ...described]),
  ].join("\n");
}

function orNone(type: string): string {
  return type.endsWith(" | None") ? type : `${type} | None`;
}

/** `createTask` becomes `create_task`. */
function snake(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
}
