import { checkSetup, setUp, setupInput } from "#operations/setup.ts";
import type { HttpContext, HttpServices } from "./context.ts";
import type { ApiApp } from "./envelope/route.ts";
import { readBody } from "./read-body.ts";

/** Adds /auth/setup, where the one-time link of the first start leads. */
export function addSetup(app: ApiApp, services: HttpServices): void {
  app.get("/auth/setup", look);
  app.post("/auth/setup", complete);

  async function look(c: HttpContext): Promise<Response> {
    const { workspace_name } = await checkSetup(services, c.req.query("token") ?? "");
    const next = "POST {token, email, password, name?} as JSON to this address to set up the owner's account.";
    return c.json({ status: "open", workspace_name, next });
  }

  async function complete(c: HttpContext): Promise<Response> {
    const { email } = await setUp(services, await readBody(c, setupInput));
    return c.json({ status: "done", email }, 201);
  }
}
