import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { listPasskeys, removePasskey, renamePasskey } from "#client/gen/operations/accounts.ts";
import type { components } from "#client/gen/schema.ts";
import { call } from "../../api/client.ts";
import { asProblem } from "../../api/problem.ts";
import { textIn } from "../../forms/use-submit.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { Button } from "../../ui/button.tsx";
import { FormError, TextField } from "../../ui/field.tsx";
import { MenuItem } from "../../ui/menu.tsx";
import { QueryPart } from "../../ui/query-part.tsx";
import { RecordDialog } from "../../ui/record-dialog.tsx";
import { RecordMenu } from "../../ui/record-menu.tsx";
import { Section, SectionRow } from "../../ui/section.tsx";
import { Time } from "../../ui/time.tsx";
import { makePasskey } from "../accounts/passkey.ts";
import { passkeyProblem } from "../accounts/passkey-problem.ts";
import { deviceLabel } from "./device-label.ts";

const KEY = ["passkeys"] as const;
const TAB = "/w/$workspace/settings/profile";

/** The person's passkeys: added here, named, and removed. */
export function PasskeyList() {
  const client = useQueryClient();
  const passkeys = useQuery({ queryKey: KEY, queryFn: () => call(listPasskeys)() });
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const problem = passkeyProblem();
  async function add(): Promise<void> {
    setBusy(true);
    setFailure(undefined);
    await makePasskey(deviceLabel(navigator.userAgent)).catch((error: unknown) => setFailure(asProblem(error).message));
    await client.invalidateQueries({ queryKey: KEY });
    setBusy(false);
  }
  return (
    <Section
      title="Passkeys"
      aside={
        <Button size="small" isBusy={isBusy} blockedBy={problem} onClick={() => void add()}>
          Add a passkey
        </Button>
      }
    >
      <p className="py-3 text-ink-2">Sign in by fingerprint, face, PIN or security key, in place of your password.</p>
      {failure !== undefined && <FormError className="mb-3">{failure}</FormError>}
      {problem !== undefined && <p className="pb-3 text-waiting">{problem}</p>}
      <QueryPart query={passkeys} rows={1}>
        {(data) => (
          <ul>
            {data.map((passkey) => (
              <Passkey key={passkey.id} passkey={passkey} />
            ))}
          </ul>
        )}
      </QueryPart>
    </Section>
  );
}

type PasskeyRecord = components["schemas"]["Passkey"];

function Passkey({ passkey }: { readonly passkey: PasskeyRecord }) {
  const client = useQueryClient();
  const named = useSearch({ from: TAB }).passkey;
  const navigate = useNavigate({ from: TAB });
  const setNamed = (id: string | undefined) => void navigate({ search: { passkey: id } });
  const { id, created_at: created, last_used_at: used } = passkey;
  const name = visibleText(passkey.name);
  const reload = () => client.invalidateQueries({ queryKey: KEY });
  const removal = {
    title: `Remove the passkey ${name}?`,
    action: "Remove passkey",
    effect: "It no longer signs you in, and other devices that signed in with it are signed out.",
    remove: () => call(removePasskey)({ id }).then(reload),
  };
  return (
    <SectionRow
      end={
        <RecordMenu name={name} blockedBy={undefined} removal={removal} deletion="Remove">
          <MenuItem onSelect={() => setNamed(id)}>Rename</MenuItem>
        </RecordMenu>
      }
    >
      <span dir="auto" className="truncate">
        {name}
      </span>
      <span className="text-ink-3">
        added <Time at={created} />
        {used === null ? ", not used yet" : ", last used "}
        {used !== null && <Time at={used} />}
      </span>
      {named === id && (
        <RecordDialog
          title="Rename the passkey"
          action="Save name"
          draft={`passkey.${id}`}
          width="small"
          save={(values) => call(renamePasskey)({ id }, { name: textIn(values, "name") })}
          onSaved={() => reload().then(() => setNamed(undefined))}
          onClose={() => setNamed(undefined)}
        >
          <TextField name="name" label="Name" defaultValue={passkey.name} maxLength={100} autoFocus />
        </RecordDialog>
      )}
    </SectionRow>
  );
}
