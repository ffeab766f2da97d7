import { invalid } from "#domain/invalid.ts";

interface Reference {
  /** The field of the body that holds the id or ids. */
  readonly path: string;
  readonly what: string;
}

const OUTPUT_ROUTES: Reference = { path: "output_route_ids", what: "output route" };

/** The constraints that keep what agents and teams select in their workspace, with the fields they are about. */
const REFERENCES: Readonly<Record<string, Reference>> = {
  agents_voice_profile_fkey: { path: "voice_profile_id", what: "voice profile" },
  agents_output_template_fkey: { path: "output_template_id", what: "output template" },
  agents_knowledge_base_ids_fkey: { path: "knowledge_base_ids", what: "knowledge base" },
  agents_output_route_ids_fkey: OUTPUT_ROUTES,
  teams_output_route_ids_fkey: OUTPUT_ROUTES,
};

/**
 * Turns the database's rejection of a reference into one that names the field. The database itself checks what an
 * agent or a team selects, so that a reference never leaves its workspace.
 * @throws AppError `bad_request`; any other error as it is.
 */
export function rejectUnknownReference(error: unknown): never {
  const constraint = error instanceof Error && "constraint" in error ? String(error.constraint) : "";
  const reference = REFERENCES[constraint];
  if (reference === undefined) throw error;
  throw invalid("body", [{ path: reference.path, message: `the workspace has no such ${reference.what}` }]);
}
