import { errors } from "oidc-provider";
import { z } from "zod";
import { KEY_SCOPES } from "#domain/access/api-key.ts";
import type { KeyScope } from "#domain/access/api-key.ts";
import { redirectHost } from "#domain/access/connected-app.ts";
import type { AppRequest } from "#domain/access/connected-app.ts";
import { AppError } from "#domain/errors.ts";
import { idFor } from "#lib/ids.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { serverOf } from "./server.ts";

const askedFor = z.object({
  client_id: z.string(),
  redirect_uri: z.string(),
  scope: z.string(),
  resource: z.union([z.string(), z.array(z.string())]).transform((resource) => [resource].flat()),
});

const NOT_HERE = "This request has ended, or it began in another browser. Start again in the app.";

const DECIDED = "This request is being decided already: try again.";

/** A request of a program that waits for a person. */
export interface WaitingRequest extends AppRequest {
  /** The resources as the program named them. */
  readonly resources: readonly string[];
}

/**
 * Finds the request that this browser began, by its cookie: a person cannot be made to consent to one that began
 * elsewhere, whose codes go to another's program. @throws AppError `not_found`
 */
export async function findAppRequest(services: HttpServices, c: HttpContext, uid: string): Promise<WaitingRequest> {
  const { library } = serverOf(services, c);
  const { incoming, outgoing } = c.env;
  const interaction = await library.interactionDetails(incoming, outgoing).catch(rejectLost);
  if (interaction.uid !== uid) throw new AppError("not_found", NOT_HERE);
  const { client_id: clientId, redirect_uri: redirectUri, scope, resource } = askedFor.parse(interaction.params);
  const client = await library.Client.find(clientId);
  if (client === undefined) throw new AppError("not_found", NOT_HERE);
  const asked = scope.split(" ");
  return {
    keyId: idFor(uid),
    client: {
      client_id: clientId,
      name: client.clientName?.trim() || new URL(redirectUri).host,
      redirect_host: redirectHost(redirectUri),
    },
    scopes: KEY_SCOPES.filter((each) => asked.includes(each)),
    resources: resource,
  };
}

/** What a person has allowed. */
export interface Allowed {
  readonly request: WaitingRequest;
  readonly userId: string;
  readonly scopes: readonly KeyScope[];
}

/** Records the decision; returns the URL at which the server tells the program. Undefined: the person denied it. */
export async function finishAppRequest(
  services: HttpServices,
  c: HttpContext,
  allowed: Allowed | undefined,
): Promise<string> {
  const { library } = serverOf(services, c);
  const { incoming, outgoing } = c.env;
  if (allowed === undefined) {
    const denied = { error: "access_denied", error_description: "The person did not allow it." };
    return library.interactionResult(incoming, outgoing, denied, { mergeWithLastSubmission: false }).catch(rejectLost);
  }
  const { request, userId, scopes } = allowed;
  const { keyId, client, resources } = request;
  const { client_id: clientId } = client;
  const grant = new library.Grant({ clientId, accountId: userId });
  grant.jti = keyId;
  for (const resource of resources) grant.addResourceScope(resource, scopes.join(" "));
  await grant.save().catch(rejectLost);
  const result = { login: { accountId: userId, remember: false }, consent: { grantId: keyId } };
  return library.interactionResult(incoming, outgoing, result, { mergeWithLastSubmission: false }).catch(rejectLost);
}

/** The request is over, or its key is: another decision replaced it. */
function rejectLost(cause: unknown): never {
  if (cause instanceof errors.SessionNotFound) throw new AppError("not_found", NOT_HERE, { cause });
  if (cause instanceof errors.InvalidGrant) throw new AppError("conflict", DECIDED, { cause });
  throw cause;
}
