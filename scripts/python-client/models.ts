import { z } from "zod";
import { docstring, layOut } from "./layout.ts";

const KEYWORDS = new Set([
  "class",
  "def",
  "except",
  "for",
  "from",
  "global",
  "if",
  "import",
  "in",
  "is",
  "pass",
  "try",
]);
/** A longer union is laid out over several lines, in brackets. */
const MAX_UNION = 80;
const schemaShape = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).default([]),
  additionalProperties: z.unknown().optional(),
  items: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  allOf: z.array(z.unknown()).optional(),
  format: z.string().optional(),
  description: z.string().optional(),
});
type Schema = z.output<typeof schemaShape>;
const PLAIN: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  null: "None",
};

/** The types of the API as Python classes. */
export interface Models {
  /** The expression of a schema's type. @param name of the class that an object becomes */
  typeOf(schema: unknown, name: string): string;
  /** The classes of all types so far, and the aliases of other types, by name. */
  readonly classes: ReadonlyMap<string, string>;
  readonly aliases: ReadonlyMap<string, string>;
}

/** Creates the types of an OpenAPI document's schemas; only those that are asked for become classes. */
export function createModels(schemas: Readonly<Record<string, unknown>>): Models {
  const classes = new Map<string, string>();
  const aliases = new Map<string, string>();
  const known = new Set<string>();

  function typeOf(given: unknown, name: string): string {
    const schema = schemaShape.parse(given);
    if (schema.$ref !== undefined) return reference(schema.$ref.split("/").at(-1) ?? "");
    const options = schema.anyOf ?? schema.oneOf;
    if (options !== undefined) return union(options.map((each) => typeOf(each, variantName(each, name))));
    if (schema.allOf !== undefined) throw new Error(`${name} is an intersection, which Python has no type for.`);
    if (schema.enum !== undefined) return literal(schema.enum);
    return union([schema.type ?? []].flat().map((type) => plain(type, schema, name)));
  }

  function plain(type: string, schema: Schema, name: string): string {
    if (type === "array") return `list[${typeOf(schema.items ?? {}, singular(name))}]`;
    if (type !== "object") return schema.format === "binary" ? "Upload" : (PLAIN[type] ?? "Any");
    if (schema.properties !== undefined) return defineClass(nestedName(name), schema);
    const values = schema.additionalProperties;
    return `dict[str, ${typeof values === "object" ? typeOf(values, singular(name)) : "Any"}]`;
  }

  function reference(name: string): string {
    if (known.has(name)) return name;
    known.add(name);
    const schema = schemaShape.parse(schemas[name]);
    if (schema.properties !== undefined) return defineClass(name, schema);
    const type = typeOf(schema, name);
    aliases.set(name, layOut(`${name} = ${type.includes(" | ") ? asUnion(type) : type}`, 0).join("\n"));
    return name;
  }

  function nestedName(name: string): string {
    return name in schemas || classes.has(name) ? `${name}Item` : name;
  }

  function defineClass(name: string, schema: Schema): string {
    if (classes.has(name)) throw new Error(`Two types are called ${name}.`);
    classes.set(name, "");
    const fields = Object.entries(schema.properties ?? {}).map(([field, value]) => {
      const type = typeOf(value, name + pascal(field));
      const { description } = schemaShape.parse(value);
      return { field, type: schema.required.includes(field) ? type : `NotRequired[${type}]`, description };
    });
    classes.set(name, classText(name, schema.description, fields));
    return name;
  }

  return { typeOf, classes, aliases };
}

interface Field {
  readonly field: string;
  readonly type: string;
  readonly description: string | undefined;
}

/** A field that is a keyword of Python can only be declared by a call, in a class of its own. */
function classText(name: string, description: string | undefined, fields: readonly Field[]): string {
  const reserved = fields.filter(({ field }) => KEYWORDS.has(field));
  const others = fields.filter(({ field }) => !KEYWORDS.has(field));
  const base = `_${name}Keywords`;
  const declared = reserved.map(({ field, type }) => `"${field}": ${type}`).join(", ");
  const lines = [
    ...(reserved.length === 0 ? [] : [...layOut(`${base} = TypedDict("${base}", {${declared}})`, 0), "", ""]),
    `class ${name}(${reserved.length === 0 ? "TypedDict" : base}):`,
    ...(description === undefined ? [] : [...docstring(description, 4), ""]),
    ...others.flatMap((each) => [
      ...layOut(`${each.field}: ${each.type}`, 4),
      ...(each.description === undefined ? [] : docstring(each.description, 4)),
    ]),
  ];
  return [...lines, ...(others.length === 0 && description === undefined ? ["    pass"] : [])].join("\n").trimEnd();
}

/** An option of a union is named after its `mode`, `type` or `role`, if it has one. */
function variantName(option: unknown, name: string): string {
  const { properties = {} } = schemaShape.parse(option);
  for (const field of ["mode", "type", "role"]) {
    const { enum: values = [] } = schemaShape.parse(properties[field] ?? {});
    if (values.length > 0) return name + values.map((value) => pascal(String(value))).join("");
  }
  return name + (Object.keys(properties).length === 0 ? "" : `With${pascal(Object.keys(properties)[0] ?? "")}`);
}

function literal(values: NonNullable<Schema["enum"]>): string {
  const named = values.filter((value) => value !== null);
  const type = `Literal[${named.map((value) => (typeof value === "boolean" ? pascal(String(value)) : JSON.stringify(value))).join(", ")}]`;
  return named.length < values.length ? `${type} | None` : type;
}

function union(types: readonly string[]): string {
  const type = [...new Set(types)].join(" | ") || "Any";
  return type.length > MAX_UNION && !type.includes("[") ? asUnion(type) : type;
}

/** The form that has brackets. In an alias it also takes what is not a class, as Python 3.10 demands. */
function asUnion(type: string): string {
  return `Union[${type.split(" | ").join(", ")}]`;
}

function singular(name: string): string {
  if (name.endsWith("ies")) return `${name.slice(0, -3)}y`;
  return /[^s]s$/.test(name) ? name.slice(0, -1) : name;
}

/** `current_step` and `currentStep` become `CurrentStep`. */
export function pascal(name: string): string {
  return name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
