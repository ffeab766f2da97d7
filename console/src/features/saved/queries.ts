import { useQuery } from "@tanstack/react-query";
import {
  getOutputTemplate,
  getVoiceProfile,
  listOutputTemplates,
  listVoiceProfiles,
} from "#client/gen/operations/voice-and-templates.ts";
import { call } from "../../api/client.ts";
import { readAll, usePages } from "../../api/use-pages.ts";
import type { Pages } from "../../api/use-pages.ts";
import type { components } from "#client/gen/schema.ts";
import { NEW_SAVED } from "./search.ts";

/** A voice that agents share. */
export type Voice = components["schemas"]["VoiceProfile"];

/** A template that agents share. */
export type Template = components["schemas"]["OutputTemplate"];

/** A list that agents share, newest first, page by page. */
export interface SavedPages<Row> {
  readonly pages: Pages<Row>;
  /** The one that is open, whether it is on a page that is loaded or not. */
  readonly opened: Row | undefined;
}

/** All voices of the workspace, to choose from. */
export function useVoiceChoices() {
  return useQuery({ queryKey: ["voices", "all"], queryFn: () => readAll(listVoiceProfiles, {}) });
}

/** All output templates of the workspace, to choose from. */
export function useTemplateChoices() {
  return useQuery({ queryKey: ["templates", "all"], queryFn: () => readAll(listOutputTemplates, {}) });
}

/** The voices of the workspace. @param open the id of the one that is open */
export function useVoices(open: string | undefined): SavedPages<Voice> {
  const pages = usePages(["voices"], [listVoiceProfiles, {}]);
  return useOpened("voices", pages, open, (id) => call(getVoiceProfile)({ id }));
}

/** The output templates of the workspace. @param open the id of the one that is open */
export function useTemplates(open: string | undefined): SavedPages<Template> {
  const pages = usePages(["templates"], [listOutputTemplates, {}]);
  return useOpened("templates", pages, open, (id) => call(getOutputTemplate)({ id }));
}

/** @param read reads the open one where it is on no page that is loaded */
function useOpened<Row extends { readonly id: string }>(
  key: string,
  pages: Pages<Row>,
  open: string | undefined,
  read: (id: string) => Promise<Row>,
): SavedPages<Row> {
  const listed = pages.rows?.find(({ id }) => id === open);
  const { data } = useQuery({
    queryKey: [key, "one", open],
    queryFn: () => read(open ?? ""),
    enabled: open !== undefined && open !== NEW_SAVED && pages.rows !== undefined && listed === undefined,
  });
  return { pages, opened: listed ?? data };
}
