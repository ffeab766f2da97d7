import type { Api } from "../api/shape/route.ts";
import { setHeader } from "../middleware/set-header.ts";
import { ACCOUNT_ENDPOINTS } from "./registry.ts";

/** Adds /auth/*: sign-up, sign-in, sign-out, passwords. */
export function addAccounts(api: Api): void {
  // Responses contain tokens: no cache may store them.
  api.app.use("/auth/*", async (c, next) => {
    setHeader(c, "Cache-Control", "no-store");
    await next();
  });
  for (const add of ACCOUNT_ENDPOINTS) add(api);
}
