import { TextField } from "../../ui/field.tsx";
import { SelectField } from "../../ui/fields.tsx";
import type { ConnectedProvider } from "./connected-provider.ts";

const LABELS = { resource: "Resource", region: "Region", project: "Project", api: "API" } as const;
const APIS = { "": "Found by the first call", responses: "Responses", chat: "Chat Completions" } as const;

/** The fields that connections to a provider have besides key and base URL. */
export function ConnectionFields({ provider }: { readonly provider: ConnectedProvider }) {
  return provider.fields.map(({ name, help }) => {
    const field = { name, label: LABELS[name], aside: "optional", help, defaultValue: provider.key?.[name] ?? "" };
    if (name === "api") return <SelectField key={name} {...field} options={APIS} />;
    return <TextField key={name} {...field} spellCheck={false} />;
  });
}
