import { Field, Input, Select } from "../../ui/field.tsx";
import type { ConnectedProvider } from "./connected-provider.ts";

const LABELS = { resource: "Resource", region: "Region", project: "Project", api: "API" } as const;
const APIS = { "": "Found by the first call", responses: "Responses", chat: "Chat Completions" } as const;

/** The fields that connections to a provider have besides key and base URL. */
export function ConnectionFields({
  provider,
  errorOf,
}: {
  readonly provider: ConnectedProvider;
  readonly errorOf: (path: string) => string | undefined;
}) {
  return provider.fields.map(({ name, help }) => {
    const value = provider.key?.[name] ?? "";
    return (
      <Field key={name} label={LABELS[name]} aside="optional" error={errorOf(name)} help={help}>
        {name === "api" ? (
          <Select name={name} defaultValue={value}>
            {Object.entries(APIS).map(([api, label]) => (
              <option key={api} value={api}>
                {label}
              </option>
            ))}
          </Select>
        ) : (
          <Input name={name} defaultValue={value} autoComplete="off" spellCheck={false} />
        )}
      </Field>
    );
  });
}
