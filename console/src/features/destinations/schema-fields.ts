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
    const description = of.get("description");
    return {
      name,
      title: String(of.get("title") ?? name),
      description: typeof description === "string" ? description : undefined,
      isSecret: of.get("writeOnly") === true,
      isRequired: required.includes(name),
      isUrl: of.get("format") === "uri",
      initial: shownValue(of.get("default")),
    };
  });
}

/** A stored value as the form shows it. */
export function shownValue(value: unknown): string {
  if (value === undefined || value === null) return "";
  return Array.isArray(value) ? value.join(", ") : String(value);
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}
