import { open, refused } from "./probe-shapes.ts";
import type { Probes } from "./probe-shapes.ts";
import { ACCESS_PROBES } from "./probes/access.ts";
import { ACCOUNTS_PROBES } from "./probes/accounts.ts";
import { AGENTS_PROBES } from "./probes/agents.ts";
import { CONNECTIONS_PROBES } from "./probes/connections.ts";
import { ENVELOPE_PROBES } from "./probes/envelope.ts";
import { PROTOCOLS_PROBES } from "./probes/protocols.ts";
import { WORK_PROBES } from "./probes/work.ts";

/** What is asked of every route of the service; a new route needs a line in the file of its subject. */
export const PROBES: Readonly<Record<string, Probes>> = {
  ...ENVELOPE_PROBES,
  ...ACCESS_PROBES,
  ...AGENTS_PROBES,
  ...CONNECTIONS_PROBES,
  ...WORK_PROBES,
  ...ACCOUNTS_PROBES,
  ...PROTOCOLS_PROBES,
  "GET /healthz": open,
  "GET /healthz/stream": open,
  "GET /.well-known/jwks.json": open,
  "GET /.well-known/mcp/catalog.json": open,
  "GET /mcp/server-card": open,
  "GET /.well-known/oauth-authorization-server": open,
  "GET /.well-known/oauth-protected-resource": open,
  "GET /.well-known/oauth-protected-resource/mcp": open,
  "GET /.well-known/openid-configuration": open,
  "GET /oauth/jwks": open,
  "GET /oauth/authorize": open,
  "GET /oauth/authorize/{uid}": open,
  "POST /oauth/register": refused,
  "POST /oauth/token": refused,
  "POST /oauth/revoke": refused,
  "GET /.well-known/security.txt": open,
  "GET /": open,
  "GET /version": open,
  "GET /docs": open,
  "GET /docs/start.js": open,
  "GET /docs/{file}": open,
  "GET /readyz": open,
  "GET /openapi.json": open,
};
