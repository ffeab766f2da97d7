import { Checkbox, SelectField } from "../../../ui/fields.tsx";
import type { PartProps } from "./part.ts";

/** Who approves what the agent's runs ask for, and when they end without a reader. */
export function RunFields({ draft, set }: PartProps) {
  return (
    <>
      <SelectField
        label="Approvals are given by"
        path="config.approvers"
        help="Of tools with “Ask first”, and of costs over a budget."
        value={draft.approvers}
        onChange={({ target }) => set({ approvers: target.value })}
      >
        <option value="">The service’s default: people</option>
        <option value="people">People: signed in, or by an answer link</option>
        <option value="members">Members: signed in</option>
        <option value="caller">People, and programs by their key</option>
      </SelectField>
      <Checkbox
        label="Cancel a run when the AG-UI client that started it disconnects and no other client follows it"
        checked={draft.cancel_on_disconnect}
        onChange={({ target }) => set({ cancel_on_disconnect: target.checked })}
      />
    </>
  );
}
