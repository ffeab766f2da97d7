/** One of a person's workspaces, as far as addresses need it. */
export interface WorkspaceName {
  readonly id: string;
  /** Absent on services that name workspaces by id alone. */
  readonly slug?: string;
}

const KEY = "muster.workspaces";

/** How a workspace is named in URLs. */
export function slugOf({ id, slug }: WorkspaceName): string {
  return slug ?? id;
}

/** The one that a URL names by slug or id. */
export function findWorkspace<T extends WorkspaceName>(workspaces: readonly T[], name: string): T | undefined {
  return workspaces.find((each) => each.slug === name || each.id === name);
}

/** The id behind a name that this browser has seen, so that the first request of a tab asks for the right workspace. */
export function rememberedId(name: string): string | undefined {
  const known: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
  if (typeof known !== "object" || known === null) return undefined;
  const id: unknown = Object.entries(known).find(([key]) => key === name)?.[1];
  return typeof id === "string" ? id : undefined;
}

/** Stores which names belong to which workspaces. */
export function rememberWorkspaces(workspaces: readonly WorkspaceName[]): void {
  localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(workspaces.map((each) => [slugOf(each), each.id]))));
}
