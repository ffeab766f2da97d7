import type { RouteType } from "./records.ts";

/** A field of a form that is described by JSON Schema. */
export interface SchemaField {
  readonly name: string;
  readonly title: string;
  readonly description: string | undefined;
  /** Never returned: shown once, or by its last four characters. */
  readonly isSecret: boolean;
  readonly isRequired: boolean;
  readonly isUrl: boolean;
  readonly initial: string;
}

/** The fields of a form, in the order of its schema. */
export function schemaFields(schema: Readonly<Record<string, unknown>>): readonly SchemaField[] {
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  return entriesOf(schema["properties"]).map(([name, field]) => {
    const of = new Map(entriesOf(field));
    return {
      name,
      title: textOf(of.get("title")) ?? name,
      description: textOf(of.get("description")),
      isSecret: of.get("writeOnly") === true,
      isRequired: required.includes(name),
      isUrl: of.get("format") === "uri",
      initial: shownValue(of.get("default")),
    };
  });
}

/** The fields of a route's configuration: a route of kind agent has others. */
export function configFields(
  type: Pick<RouteType, "config_schema" | "agent_config_schema">,
  kind: string,
): readonly SchemaField[] {
  return schemaFields((kind === "agent" ? type.agent_config_schema : null) ?? type.config_schema);
}

/** A stored value as the form shows it. */
export function shownValue(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.join(", ");
  return textOf(value) ?? JSON.stringify(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}
