import { z } from "zod";
import { isSetupOpen } from "#operations/accounts/setup.ts";
import { VERSION } from "#domain/version.ts";
import { respondValue } from "../api/shape/respond.ts";
import { addPath } from "../api/shape/route.ts";
import type { Api } from "../api/shape/route.ts";
import { endpoint } from "../api/shape/endpoint.ts";

const optionsRecord = z
  .strictObject({
    service_name: z.string(),
    sign_up: z.enum(["open", "closed"]).describe("Whether anyone can sign up, or only invited people."),
    provider: z.string().nullable().describe("The provider at which people can sign in (GET /auth/oidc); null: none."),
    password_sign_in: z.enum(["on", "off"]).describe("off: people sign in at the provider only."),
    sends_mail: z.boolean().describe("Whether a forgotten password is mailed a link (POST /auth/forgot)."),
    setup_open: z.boolean().describe("Whether the owner's account still has to be set up by the one-time link."),
    version: z.string(),
    build: z.string().nullable().describe("The console build that this process serves; null while there is none."),
  })
  .meta({ id: "SignInOptions" });

/** Adds /auth/options: the settings that a page needs before sign-in. */
export default function addSignInOptions(api: Api): void {
  addPath(api, "/auth/options", { tag: "Accounts", endpoints: [read] });
}

const read = endpoint({
  method: "get",
  operationId: "getSignInOptions",
  needs: "public",
  summary: "Read the settings of a sign-in page",
  success: { status: 200, schema: optionsRecord },
  handle: async ({ c, services }) =>
    respondValue(c, {
      service_name: services.serviceName,
      sign_up: services.signUps,
      provider: services.openId?.name ?? null,
      password_sign_in: services.passwordSignIn,
      sends_mail: services.sendsMail,
      setup_open: await isSetupOpen(services),
      version: VERSION,
      build: await services.console.findBuild(),
    }),
});
