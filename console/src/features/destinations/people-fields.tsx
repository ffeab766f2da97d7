import { TextField } from "../../ui/field.tsx";
import { SelectField, TextareaField } from "../../ui/fields.tsx";
import { textIn } from "../../forms/use-submit.ts";
import { Field } from "../../ui/field.tsx";
import { useAllMembers } from "../pickers/all-members.ts";
import { RecordField } from "../pickers/record-picker.tsx";
import { pickedValue, readPicked } from "../pickers/records.ts";
import { ROUTE_KINDS } from "./records.ts";
import type { Route } from "./records.ts";

export const KIND = "kind";
const ALLOWED = "allowed_user_ids";
const MEMBERS = "members";
const AGENT = "agent_id";
const PER_MINUTE = "messages_per_minute";
const AGENTS = ["agent"] as const;
const HELP: Readonly<Record<string, string>> = {
  people: "Agents' questions, with buttons and a link that needs no account.",
  agent: "People write to an agent there, and it answers.",
};

/** Chooses what a new route is for: its types depend on it. */
export function KindField({ kind, onChange }: { readonly kind: string; readonly onChange: (kind: string) => void }) {
  return (
    <SelectField
      name={KIND}
      label="For"
      help={HELP[kind]}
      value={kind}
      onChange={({ target }) => onChange(target.value)}
      options={ROUTE_KINDS}
    />
  );
}

/** The agent that people talk to, and who may. */
export function TalkFields({ route }: { readonly route: Route | undefined }) {
  const id = route?.agent_id ?? undefined;
  return (
    <>
      <Field label="Agent" path={AGENT}>
        <RecordField name={AGENT} kinds={AGENTS} initial={id === undefined ? undefined : pickedValue("agent", id)} />
      </Field>
      <AllowedField label="Who may talk to it" route={route} />
      <TextField
        name={PER_MINUTE}
        label="Messages a minute"
        help="Of one person."
        inputMode="numeric"
        defaultValue={String(route?.messages_per_minute ?? 10)}
      />
    </>
  );
}

/** What was entered there. */
export function talkIn(values: FormData) {
  return {
    agent_id: readPicked(textIn(values, AGENT))?.id ?? null,
    messages_per_minute: Number(textIn(values, PER_MINUTE)),
    allowed_user_ids: allowedIn(values),
  };
}

/** Who may answer or talk in the channel. */
export function AllowedField({ route, label }: { readonly route: Route | undefined; readonly label: string }) {
  return (
    <TextField
      name={ALLOWED}
      label={label}
      aside="optional"
      help="The vendor's ids of people, separated by commas. Empty: everybody in the channel."
      spellCheck={false}
      defaultValue={route?.allowed_user_ids.join(", ") ?? ""}
    />
  );
}

/** Who is who: members with their ids at the vendor. */
export function MembersField({ route }: { readonly route: Route | undefined }) {
  const people = useAllMembers();
  const emailOf = (id: string) => people.find(({ user_id }) => user_id === id)?.email ?? id;
  const shown = (route?.members ?? [])
    .map(({ member, user_id: id }) => `${emailOf(member)} ${id ?? ""}`.trim())
    .join("\n");
  return (
    <TextareaField
      // The addresses are read after the first look; without members there are none to wait for.
      key={shown}
      name={MEMBERS}
      label="Members in the channel"
      aside="optional"
      help="One per line: an e-mail address and the vendor's id, such as ana@example.com U0123ABCD. Rules on approvals count their presses."
      rows={2}
      spellCheck={false}
      defaultValue={shown}
    />
  );
}

/** The members that were entered. */
export function membersIn(values: FormData): { readonly member: string; readonly user_id: string | null }[] {
  const lines = textIn(values, MEMBERS)
    .split("\n")
    .map((line) => line.trim());
  return lines
    .filter((line) => line !== "")
    .map((line) => {
      const [member = "", id] = line.split(/[\s,;]+/, 2);
      return { member, user_id: id ?? null };
    });
}

/** The ids that were entered. */
export function allowedIn(values: FormData): string[] {
  return textIn(values, ALLOWED)
    .split(/[\s,]+/)
    .filter((id) => id !== "");
}
