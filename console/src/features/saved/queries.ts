import { useQuery } from "@tanstack/react-query";
import { readAll } from "../../api/use-pages.ts";
import type { components } from "#client/schema.gen.ts";

/** A voice that agents share. */
export type Voice = components["schemas"]["VoiceProfile"];

/** A template that agents share. */
export type Template = components["schemas"]["OutputTemplate"];

/** The voices of the workspace, newest first. */
export function useVoices() {
  return useQuery({
    queryKey: ["voices"],
    queryFn: () => readAll<Voice>("/console/api/voice-profiles"),
  });
}

/** The output templates of the workspace, newest first. */
export function useTemplates() {
  return useQuery({
    queryKey: ["templates"],
    queryFn: () => readAll<Template>("/console/api/output-templates"),
  });
}
