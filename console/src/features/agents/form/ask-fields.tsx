import { textIn } from "../../../forms/use-submit.ts";
import { oneOf } from "../../../lib/search.ts";
import { TextField } from "../../../ui/field.tsx";
import { SelectField } from "../../../ui/fields.tsx";
import { listOf } from "./body.ts";
import { useChannels } from "./rule-names.ts";
import type { Rule } from "./rules.ts";

type Ask = Rule["ask"];

const ROLES = { "": "Nobody by role", member: "Members", admin: "Admins", owner: "Owners" } as const;
const ROLE_NAMES = ["member", "admin", "owner"] as const;

/** Whom a rule or an escalation asks. @param prefix of the names of the fields */
export function AskFields({ prefix = "", ask }: { readonly prefix?: string; readonly ask: Ask | undefined }) {
  const path = `${prefix}ask`;
  return (
    <div className="grid grid-cols-2 gap-4 max-sm:grid-cols-1">
      <SelectField
        name={`${prefix}role`}
        path={`${path}.role`}
        label="Ask"
        options={ROLES}
        defaultValue={ask?.role ?? ""}
      />
      <TextField
        name={`${prefix}people`}
        path={`${path}.people`}
        label="And these people"
        aside="e-mail addresses"
        help="Separated by commas."
        defaultValue={(ask?.people ?? []).join(", ")}
      />
      <ChannelField name={`${prefix}channel`} path={`${path}.channel`} chosen={ask?.channel ?? ""} />
    </div>
  );
}

/** The routes that ask people; nothing where there are none. */
function ChannelField({ chosen, ...field }: { readonly name: string; readonly path: string; readonly chosen: string }) {
  const channels = useChannels();
  const isUnknown = chosen !== "" && channels.every(({ id }) => id !== chosen);
  if (channels.length === 0 && !isUnknown) return null;
  return (
    // The routes are read after the first look.
    <SelectField key={channels.length} {...field} label="And in the channel" defaultValue={chosen}>
      <option value="">None</option>
      {isUnknown && <option value={chosen}>A channel that was deleted</option>}
      {channels.map(({ id, name: label, is_active: isActive }) => (
        <option key={id} value={id}>
          {isActive ? label : `${label} (paused)`}
        </option>
      ))}
    </SelectField>
  );
}

/** What was entered in {@link AskFields}. */
export function askIn(values: FormData, prefix = ""): Ask {
  const people = listOf(textIn(values, `${prefix}people`));
  const role = oneOf(textIn(values, `${prefix}role`), ROLE_NAMES);
  const channel = textIn(values, `${prefix}channel`);
  return {
    ...(people.length > 0 && { people }),
    ...(role !== undefined && { role }),
    ...(channel !== "" && { channel }),
  };
}
