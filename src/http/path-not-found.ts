import { AppError } from "#domain/errors.ts";
import { nearest } from "#lib/text/nearest.ts";

/** Longer paths are not compared with those of the API: comparing costs time, and anyone may ask. */
const MAX_COMPARED_LENGTH = 60;

/**
 * Returns the error for a path that the service does not have, with what the caller probably wanted.
 * @param routes the routes of the service
 */
export function pathNotFound(routes: readonly { readonly path: string }[], path: string): AppError {
  return new AppError("not_found", `Not found: ${path}${hintFor(routes, path)}`);
}

function hintFor(routes: readonly { readonly path: string }[], path: string): string {
  if (path === "/") return ". The API is described at /docs and /openapi.json.";
  if (path.length > MAX_COMPARED_LENGTH) return "";
  const known = [...new Set(routes.map((route) => route.path))].filter((each) => /^\/[\w./-]+$/.test(each));
  // The envelope API takes ids in the query.
  const list = /^(\/functions\/v1\/[\w-]+)\/[^/]+$/.exec(path)?.[1];
  if (list !== undefined && known.includes(list)) return `. Give the id in the query: ${list}?id=…`;
  const alike = known.filter((each) => isAlike(lastSegmentOf(path), lastSegmentOf(each)));
  const meant = nearest(path, alike) ?? known.find((each) => each.endsWith(path));
  return meant === undefined ? "" : `. Did you mean ${meant}?`;
}

/** Paths may differ in their last segment alone, as one with an id does: that does not make them alike. */
function isAlike(segment: string, known: string): boolean {
  return known.includes(segment) || nearest(segment, [known]) !== undefined;
}

function lastSegmentOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
