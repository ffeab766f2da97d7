import { inPath, just, open, refused, scratchEmail, signIn } from "../probe-shapes.ts";
import type { Probe, Probes } from "../probe-shapes.ts";

/** What is asked of the routes of sign-in and sessions. */
export const ACCOUNTS_PROBES: Readonly<Record<string, Probes>> = {
  "POST /auth/run-link": { plain: [just({ token: "x" })] },
  "POST /auth/run-link/steps": { plain: [just({ token: "x" })] },
  "POST /auth/run-link/step": { plain: [just({ token: "x", key: "model:0" })] },
  "POST /auth/answer-link": { plain: [just({ token: "x" })] },
  "POST /auth/answer-link/answer": { plain: [just({ token: "x", name: "X", approved: true })] },
  "POST /auth/keys/leaked": { plain: [just({ keys: [`mst_${"0".repeat(43)}`] })] },
  "GET /auth/app-requests/{uid}": { plain: [() => ({ at: "/auth/app-requests/x" })] },
  "POST /auth/app-requests/{uid}": {
    naming: [
      ({ workspaces: id }) => ({
        at: "/auth/app-requests/x",
        body: { decision: "allow", workspace_id: id, scopes: ["read"] },
      }),
    ],
  },
  "POST /auth/sign-up": { plain: [() => ({ body: { email: scratchEmail(), password: "a long password" } })] },
  "POST /auth/sign-in": { naming: [signIn] },
  "POST /auth/token": { naming: [signIn] },
  "POST /auth/refresh": {
    naming: [({ workspaces: id }, own) => ({ body: { workspace_id: id }, headers: { cookie: own["cookie"] ?? "" } })],
  },
  "POST /auth/sign-out": refused,
  "POST /auth/password": { plain: [just({ current_password: "wrong", new_password: "a new password" })] },
  "GET /auth/setup": { plain: [() => ({ at: "/auth/setup?token=x" })] },
  "POST /auth/setup": { plain: [just({ token: "x", email: "x@example.org", password: "a long password" })] },
  "GET /auth/oidc": { plain: [() => ({ at: "/auth/oidc" })] },
  "GET /auth/oidc/callback": { plain: [() => ({ at: "/auth/oidc/callback?state=x&code=x" })] },
  "GET /auth/break-glass": { plain: [() => ({ at: "/auth/break-glass?token=x" })] },
  "POST /auth/break-glass": { plain: [just({ token: "x" })] },
  "GET /auth/unsubscribe": { plain: [() => ({ at: "/auth/unsubscribe?token=x" })] },
  "POST /auth/unsubscribe": { plain: [() => ({ at: "/auth/unsubscribe?token=x" })] },
  "GET /auth/reset": { plain: [() => ({ at: "/auth/reset?token=x" })] },
  "POST /auth/reset": { plain: [just({ token: "x", password: "a long password" })] },
  "POST /auth/forgot": { plain: [just({ email: "nobody@example.org" })] },
  "GET /auth/invitations": { plain: [() => ({ at: "/auth/invitations?token=x" })] },
  "POST /auth/invitations/accept": { plain: [just({ token: "x", password: "a long password" })] },
  "GET /auth/push": open,
  "POST /auth/push": refused,
  "DELETE /auth/push/{id}": inPath("sessions"),
  "GET /auth/passkeys": open,
  "POST /auth/passkeys": refused,
  "POST /auth/passkeys/options": { plain: [just({})] },
  "POST /auth/passkeys/sign-in/options": { plain: [just({})] },
  "POST /auth/passkeys/sign-in": refused,
  "PATCH /auth/passkeys/{id}": inPath("sessions", { name: "X" }),
  "DELETE /auth/passkeys/{id}": inPath("sessions"),
  "GET /auth/sessions": open,
  "DELETE /auth/sessions": open,
  "DELETE /auth/sessions/{id}": inPath("sessions"),
  "GET /auth/options": open,
  "GET /auth/me": open,
  "PATCH /auth/me": { plain: [just({ name: "X" })] },
  "GET /auth/locate": {
    naming: (["tasks", "team_runs", "agents", "files", "workspaces"] as const).map((thing): Probe => (named) => ({
      at: `/auth/locate?id=${named[thing]}`,
    })),
  },
};
