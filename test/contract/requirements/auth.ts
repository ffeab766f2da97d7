import type { Requirements } from "./requirement.ts";

/** Which credential opens which surface. */
export const auth = {
  "auth.envelope.api-key": {
    states: "X-API-Key with an envelope key opens the envelope API.",
    source: "contract",
  },
  "auth.envelope.jwt": {
    states: "Authorization: Bearer with a user's JWT opens the envelope API.",
    source: "contract",
  },
  "auth.envelope.missing-401": {
    states: "Without either credential the response is 401 unauthorized.",
    source: "contract",
  },
  "auth.envelope.unknown-key-401": {
    states: "A key that does not exist is 401.",
    source: "contract",
  },
  "auth.envelope.wrong-kind-401": {
    states: "A key of another surface is 401 on the envelope API.",
    source: "decision",
  },
  "auth.envelope.www-authenticate": {
    states: "A 401 of the envelope API has WWW-Authenticate: Bearer.",
    source: "goal",
  },
  "auth.wrong-kind.named": {
    states: "A 401 for a key of another kind names that kind and the kind that is needed.",
    source: "goal",
  },
  "auth.envelope.expired-401": { states: "A key past its expires_at is 401.", source: "decision" },
  "auth.envelope.read-scope-403": {
    states: "A key without the write scope can read; every write is 403.",
    source: "decision",
  },
  "auth.envelope.revoked-at-once": {
    states: "Every process rejects a deleted key immediately.",
    source: "goal",
  },
  "auth.envelope.role-too-low-403": {
    states: "A user whose role is too low for an operation is 403.",
    source: "decision",
  },
  "auth.table.both-headers": {
    states: "The table API needs the instance's anon key as apikey and a Bearer table key or JWT.",
    source: "decision",
  },
  "auth.ag-ui.agui-key": {
    states: "A key labelled ag-ui opens the AG-UI endpoints.",
    source: "contract",
  },
  "auth.ag-ui.a2a-key": {
    states: "A key labelled a2a opens the AG-UI endpoints too.",
    source: "contract",
  },
  "auth.ag-ui.envelope-key": {
    states: "An envelope key opens the AG-UI endpoints within its scopes.",
    source: "decision",
  },
  "auth.ag-ui.access-token": {
    states: "The access token of a person opens the AG-UI endpoints.",
    source: "decision",
  },
  "auth.ag-ui.www-authenticate": {
    states: "A 401 there has WWW-Authenticate: Bearer.",
    source: "decision",
  },
  "auth.ag-ui.read-scope-403": {
    states: "A key without the read scope opens no stream: 403.",
    source: "decision",
  },
  "auth.ag-ui.wrong-kind-401": {
    states: "A key of any other kind is 401 there.",
    source: "decision",
  },
  "auth.a2a.either-label": {
    states: "Keys labelled a2a or ag-ui open the A2A endpoint.",
    source: "contract",
  },
  "auth.a2a.missing-401": {
    states: "A missing token is 401 on the A2A endpoint.",
    source: "contract",
  },
  "auth.a2a.www-authenticate": {
    states: "That 401 is an HTTP 401 with WWW-Authenticate.",
    source: "decision",
  },
  "auth.mcp.bearer": {
    states: "An MCP key as Bearer token opens the MCP endpoint.",
    source: "contract",
  },
  "auth.bearer.spaces": {
    states: "On every surface, several spaces may stand between Bearer and the token, as HTTP allows.",
    source: "goal",
  },
  "auth.workspace-isolation": {
    states: "A credential of one workspace never reads or changes data of another.",
    source: "goal",
  },
  "auth.matrix.complete": {
    states: "The tests call every route with another workspace's ids and with wrong credentials.",
    source: "goal",
  },
  "auth.matrix.wrong-credentials": {
    states: "Without credentials, and with keys of every other surface, every non-public route is 401.",
    source: "goal",
  },
} as const satisfies Requirements<"auth">;
