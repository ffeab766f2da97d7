import { useQuery } from "@tanstack/react-query";
import { fetchJson } from "../../api/fetch-json.ts";
import { readAll, usePages } from "../../api/use-pages.ts";
import type { Pages } from "../../api/use-pages.ts";
import type { components } from "#client/gen/schema.ts";
import { NEW_SAVED } from "./search.ts";

/** A voice that agents share. */
export type Voice = components["schemas"]["VoiceProfile"];

/** A template that agents share. */
export type Template = components["schemas"]["OutputTemplate"];

const VOICES = "/console/api/voice-profiles";
const TEMPLATES = "/console/api/output-templates";

/** A list that agents share, newest first, page by page. */
export interface SavedPages<Row> {
  readonly pages: Pages<Row>;
  /** The one that is open, whether it is on a page that is loaded or not. */
  readonly opened: Row | undefined;
}

/** All voices of the workspace, to choose from. */
export function useVoiceChoices() {
  return useQuery({ queryKey: ["voices", "all"], queryFn: () => readAll<Voice>(VOICES) });
}

/** All output templates of the workspace, to choose from. */
export function useTemplateChoices() {
  return useQuery({ queryKey: ["templates", "all"], queryFn: () => readAll<Template>(TEMPLATES) });
}

/** The voices of the workspace. @param open the id of the one that is open */
export function useVoices(open: string | undefined): SavedPages<Voice> {
  return useSaved("voices", VOICES, open);
}

/** The output templates of the workspace. @param open the id of the one that is open */
export function useTemplates(open: string | undefined): SavedPages<Template> {
  return useSaved("templates", TEMPLATES, open);
}

function useSaved<Row extends { readonly id: string }>(
  key: string,
  path: string,
  open: string | undefined,
): SavedPages<Row> {
  const pages = usePages<Row>([key], path);
  const listed = pages.rows?.find(({ id }) => id === open);
  const { data } = useQuery({
    queryKey: [key, "one", open],
    queryFn: () => fetchJson<Row>(`${path}/${encodeURIComponent(open ?? "")}`),
    enabled: open !== undefined && open !== NEW_SAVED && pages.rows !== undefined && listed === undefined,
  });
  return { pages, opened: listed ?? data };
}
