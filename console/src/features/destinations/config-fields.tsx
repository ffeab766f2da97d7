import { TextField } from "../../ui/field.tsx";
import { shownValue } from "./schema-fields.ts";
import type { SchemaField } from "./schema-fields.ts";

/** The name of a configuration field in its form. */
export function configName(name: string): string {
  return `config.${name}`;
}

/** The fields of a destination's type. A secret that is stored shows its last characters and stays while nothing is typed. */
export function ConfigFields({
  fields,
  config,
}: {
  readonly fields: readonly SchemaField[];
  /** What is stored; undefined for a new route. */
  readonly config: Readonly<Record<string, unknown>> | undefined;
}) {
  return fields.map(({ name, title, description, isSecret, isRequired, isUrl, initial }) => {
    const stored = config === undefined ? initial : shownValue(config[name]);
    const isStored = isSecret && config !== undefined && stored !== "";
    return (
      <TextField
        key={name}
        name={configName(name)}
        label={title}
        aside={isRequired ? undefined : "optional"}
        help={
          isSecret ? [description, secretHelp(isStored)].filter((part) => part !== undefined).join(" ") : description
        }
        type={isSecret ? "password" : "text"}
        inputMode={isUrl ? "url" : undefined}
        spellCheck={false}
        required={isRequired && !isStored}
        defaultValue={isSecret ? "" : stored}
        placeholder={isStored ? stored : undefined}
      />
    );
  });
}

function secretHelp(isStored: boolean): string {
  return isStored ? "Leave it empty to keep the stored one." : "Stored encrypted, never shown again.";
}
