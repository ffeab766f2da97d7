import { defineCommand } from "../arguments/define-command.ts";
import { UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { createOutput } from "../terminal/output.ts";
import { askText, isInteractive } from "../terminal/prompt.ts";

/** `muster erase` */
export default defineCommand({
  summary: "Erase a workspace or a person, and print the receipt; needs access to the database",
  examples: ['erase --workspace acme --confirm "Acme"', "erase --person ada@example.com --confirm ada@example.com"],
  args: {
    workspace: {
      type: "string",
      valueHint: "slug",
      description: "The workspace, by slug or id; with --person: one of the person's, by id",
    },
    person: { type: "string", valueHint: "email", description: "The person, by e-mail address" },
    confirm: { type: "string", valueHint: "text", description: "The workspace's name, or the person's address again" },
  },
  async run({ workspace, person, confirm }) {
    const given = person ?? workspace;
    if (given === undefined) throw new UsageError("Give --workspace or --person.");
    const kind = person === undefined ? "workspace" : "person";
    const { erase, hasBegun } = await import("../../service/erase.ts");
    const answer = confirm ?? ((await hasBegun(kind, given)) ? "" : await askFor(kind, given));
    const workspaceId = person === undefined ? undefined : workspace;
    createOutput(process.stdout, process.stderr).json(await erase({ kind, given, confirm: answer, workspaceId }));
    return EXIT.ok;
  },
});

function askFor(kind: "workspace" | "person", given: string): Promise<string> {
  const what = kind === "workspace" ? "name" : "e-mail address";
  if (!isInteractive()) throw new UsageError(`Give --confirm with the ${kind}'s ${what}.`);
  return askText({ message: `Type the ${what} of the ${kind} ${given} to erase it` });
}
