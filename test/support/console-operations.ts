/** The operations that the console was given, as `METHOD /path`; `openapi-console.test.ts` asks each of them. */
export const CONSOLE_OPERATIONS: readonly string[] = [
  "GET /auth/options",
  "GET /auth/me",
  "PATCH /auth/me",
  "GET /auth/locate",
  "GET /console/api/models",
  "GET /console/api/overview",
  "GET /console/api/runs",
  "POST /console/api/runs/bulk",
  "GET /console/api/questions",
  "GET /console/api/live",
];
