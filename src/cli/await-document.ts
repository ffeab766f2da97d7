import { setTimeout as sleep } from "node:timers/promises";
import { EXIT } from "./errors/exit-codes.ts";
import type { ExitCode } from "./errors/exit-codes.ts";
import type { MusterClient, Schemas } from "#client/index.ts";
import type { Output } from "./terminal/output.ts";
import { progressLine } from "./terminal/progress.ts";
import { safeText } from "./terminal/safe-text.ts";

const POLL_INTERVAL_MS = 300;

/** Waits until a document has been ingested and prints the result; the command fails if the ingest failed. */
export async function awaitDocument(
  { muster, out, json }: { readonly muster: MusterClient; readonly out: Output; readonly json: boolean | undefined },
  added: Schemas["KnowledgeDocument"],
): Promise<ExitCode> {
  let document = added;
  while (document.status === "pending" || document.status === "processing") {
    out.status(progressLine(`Indexing ${safeText(added.name)}`, document.progress / 100));
    await sleep(POLL_INTERVAL_MS);
    document = await muster.getDocument({ id: added.id });
  }
  out.status(undefined);
  const { id, name, passages, error, warning } = document;
  if (json) out.json(document);
  else if (error !== null) out.note(`${safeText(name)} (${id}) could not be read: ${safeText(error)}`, "red");
  else {
    out.line(`Added ${safeText(name)} (${id}): ${passages} ${passages === 1 ? "passage" : "passages"}`);
    if (warning !== null) out.note(safeText(warning), "yellow");
  }
  return error === null ? EXIT.ok : EXIT.failed;
}
