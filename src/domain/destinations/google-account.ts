/** The scopes that deliveries need (https://developers.google.com/identity/protocols/oauth2/scopes). */
export const GOOGLE_SCOPES = [
  "openid",
  "email",
  "https://www.googleapis.com/auth/spreadsheets",
  "https://www.googleapis.com/auth/gmail.send",
  "https://www.googleapis.com/auth/drive",
  "https://www.googleapis.com/auth/calendar.events",
] as const;

/** The row to which the encrypted tokens of a workspace are bound. */
export function googleTokensContext(workspaceId: string): string {
  return `google_connections:${workspaceId}`;
}
