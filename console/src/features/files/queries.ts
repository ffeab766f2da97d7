import { useQuery } from "@tanstack/react-query";
import { getFile, listFiles } from "#client/gen/operations/files.ts";
import { call } from "../../api/client.ts";
import { problemOf } from "../../api/problem.ts";
import type { components } from "#client/gen/schema.ts";
import { usePages } from "../../api/use-pages.ts";
import { given } from "../../lib/given.ts";
import { stringifySearch } from "../../lib/search.ts";
import type { FilesSearch } from "./search.ts";

/** The beginning of the media type of each kind. */
const MEDIA_TYPES = {
  image: "image/",
  text: "text/",
  json: "application/json",
  pdf: "application/pdf",
  word: "application/vnd.openxmlformats",
} as const;

/** A file in a list. */
export type ListedFile = components["schemas"]["ListedFile"];
/** A file with its signed URLs. */
export type StoredFile = components["schemas"]["StoredFile"];

/** A signed URL holds for a day; a page that stays open gets another one before. */
const LINK_FRESH_MS = 12 * 3_600_000;

/** The URL of the list with these filters. */
export function filesPath(search: FilesSearch): string {
  return `/files${stringifySearch(filesQuery(search))}`;
}

function filesQuery({ q, kind, direction }: FilesSearch) {
  return given({ q, type: kind && MEDIA_TYPES[kind], direction });
}

/** Files, newest first. */
export function useFiles(search: FilesSearch) {
  return usePages(["files"], [listFiles, filesQuery(search)]);
}

/** One file with its URLs. */
export function useFile(id: string) {
  return useQuery({
    queryKey: ["file", id],
    queryFn: () => call(getFile)({ id }),
    staleTime: LINK_FRESH_MS,
    refetchInterval: LINK_FRESH_MS,
    refetchIntervalInBackground: true,
    // A computer that has slept was not there at that time.
    refetchOnWindowFocus: true,
  });
}

/** The text of a file, for its preview. @param path its signed URL on this service */
export function useFileText(path: string) {
  return useQuery({
    queryKey: ["file-text", path],
    async queryFn() {
      const response = await fetch(path);
      if (!response.ok) throw await problemOf(response);
      return response.text();
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** A signed URL without its origin: the service may be known by several. */
export function localPath(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
