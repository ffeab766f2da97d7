import { useState } from "react";
import { deleteWorkspace } from "#client/gen/operations/workspaces.ts";
import { call } from "../../api/client.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { Section } from "../../ui/section.tsx";
import { TypedConfirm } from "../../ui/typed-confirm.tsx";

/** Deletes the workspace once its name is typed. */
export function DeleteWorkspace({ name }: { readonly name: string }) {
  const blockedBy = useBlockedBy("owner");
  const [isAsking, setAsking] = useState(false);
  async function remove(confirm: string): Promise<void> {
    await call(deleteWorkspace)({ confirm });
    location.assign("/");
  }
  return (
    <Section
      title="Delete"
      aside={
        <Button look="danger" blockedBy={blockedBy} onClick={() => setAsking(true)}>
          Delete workspace
        </Button>
      }
    >
      <p className="py-3 text-ink-2">Its work is cancelled, its keys end, and everything in it is deleted for good.</p>
      {isAsking && (
        <TypedConfirm
          title={`Delete the workspace "${name}"?`}
          name={name}
          action="Delete workspace"
          effect="Agents, teams, runs, files, knowledge and their history go with it. This cannot be undone."
          onConfirm={remove}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}
