import { useQuery } from "@tanstack/react-query";
import { locate } from "../api/locate.ts";
import { useAccess, useWorkspace } from "../api/use-session.ts";
import { findWorkspace } from "../lib/workspaces.ts";
import { buttonClass } from "./button.tsx";

const IN_WORKSPACE = /^\/w\/[^/]+(\/.*)$/;
/** The path or a parameter names the record, as in `/files?file={id}`. */
const RECORD = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** Leads to the record that the URL names, if another of the person's workspaces has it. */
export default function Elsewhere() {
  const [, rest = ""] = IN_WORKSPACE.exec(location.pathname + location.search) ?? [];
  const [id = ""] = RECORD.exec(rest) ?? [];
  const { workspaces } = useAccess();
  const { slug: here } = useWorkspace();
  const { data: slug } = useQuery({
    queryKey: ["locate", id],
    queryFn: async () => (await locate(id)) ?? null,
    enabled: id !== "",
  });
  if (slug == null || slug === here) return null;
  return (
    <a href={`/w/${slug}${rest}`} className={buttonClass({ look: "primary" })}>
      Open it in {findWorkspace(workspaces, slug)?.name ?? slug}
    </a>
  );
}
