import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { importTeam } from "#client/gen/operations/export-and-import.ts";
import { call } from "../../api/client.ts";
import { readImport } from "../../forms/json-object.ts";
import type { components } from "#client/gen/schema.ts";
import { useWorkspace } from "../../api/use-session.ts";
import { plural } from "../../lib/format.ts";
import { Form, FormProblem, SubmitButton } from "../../ui/form.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";

/** The result of an import. */
type Imported = components["schemas"]["Imported"];

/** Creates a team and its agents from an exported file, and lists what was left out. */
export function ImportTeam({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const [imported, setImported] = useState<Imported>();
  async function act(values: FormData): Promise<void> {
    const file = values.get("file");
    const body = file instanceof File ? await file.text() : "";
    setImported(await call(importTeam)(readImport(body)));
    await Promise.all(["teams", "agents"].map((key) => client.invalidateQueries({ queryKey: [key] })));
  }
  return (
    <Dialog
      title="Import a team"
      description="A file of a team with its agents, as exported here."
      isOpen
      onClose={onClose}
    >
      {imported === undefined ? (
        <Form act={act}>
          <FormProblem />
          <TextField name="file" label="File" type="file" accept=".json,application/json" required className={FILE} />
          <DialogActions>
            <Button onClick={onClose}>Close</Button>
            <SubmitButton>Import team</SubmitButton>
          </DialogActions>
        </Form>
      ) : (
        <Outcome imported={imported} onClose={onClose} />
      )}
    </Dialog>
  );
}

/** Styles the browser's own button in the field like the text beside it. */
const FILE =
  "ps-0 file:me-3 file:h-full file:border-0 file:border-e file:border-line file:bg-surface file:px-3 file:font-medium";

function Outcome({ imported, onClose }: { readonly imported: Imported; readonly onClose: () => void }) {
  const { slug } = useWorkspace();
  const { team, agents, warnings } = imported;
  return (
    <>
      <p role="status">
        {team === null ? "Imported" : `Imported "${team.name}"`} with {plural(agents.length, "agent")}.
      </p>
      {warnings.length > 0 && (
        <>
          <h3 className="mt-4 text-h3 font-semibold">Left out</h3>
          <ul className="mt-1 flex flex-col gap-1 text-ink-2">
            {warnings.map(({ path, message }) => (
              <li key={path + message}>
                <span className="font-mono text-mono">{path}</span>: {message}
              </li>
            ))}
          </ul>
        </>
      )}
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        {team !== null && (
          <Link
            to="/w/$workspace/teams/$id"
            params={{ workspace: slug, id: team.id }}
            className={buttonClass({ look: "primary" })}
          >
            Open team
          </Link>
        )}
      </DialogActions>
    </>
  );
}
