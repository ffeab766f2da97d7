const KEY = "muster.assignee.";

/** To whom this browser has given the last task in a workspace, as the value of a picker. */
export function lastAssignee(workspaceId: string): string | undefined {
  return localStorage.getItem(KEY + workspaceId) ?? undefined;
}

/** Keeps it for the next task; an empty value stands for no assignee. */
export function keepAssignee(workspaceId: string, value: string): void {
  if (value === "") localStorage.removeItem(KEY + workspaceId);
  else localStorage.setItem(KEY + workspaceId, value);
}
