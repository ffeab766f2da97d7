import { TextareaField } from "../../ui/fields.tsx";

/** The networks from which a key, or all keys of a service account, may be used. */
export function NetworksField({ networks }: { readonly networks: readonly string[] | null }) {
  return (
    <TextareaField
      name="networks"
      label="Allowed networks"
      aside="optional"
      help="One in each line, such as 203.0.113.0/24 or 2001:db8::/32. Without any, the address does not matter."
      dir="ltr"
      rows={2}
      defaultValue={networks?.join("\n")}
    />
  );
}
