import { z } from "zod";
import { ALERT_KINDS } from "#domain/alerts/alert-kinds.ts";
import { alertCreate, alertPatch, windowOf } from "#domain/alerts/alert.ts";
import { createAlert, deleteAlert, updateAlert } from "../../alerts/alerts.ts";
import { defineResourceKind, oneByOne, written } from "../resource-kind.ts";

const kindIn = z.enum(ALERT_KINDS);

/** Alerts. */
export const alerts = defineResourceKind({
  resource: "alert",
  folder: "alerts",
  schema: alertCreate,
  listed: "alert",
  fixed: ["kind"],
  usualIn: ({ kind }) => windowOf({ kind: kindIn.parse(kind) }),
  references: [
    { at: "agent_id", to: "agent" },
    { at: "team_id", to: "team" },
    { at: "watched_route_id", to: "route" },
    { at: "route_id", to: "route" },
  ],
  begin: written({
    create: alertCreate,
    patch: alertPatch,
    add: (workspace, fields) => createAlert(workspace, fields),
    change: (workspace, id, patch) => updateAlert(workspace, { id, patch }),
  }),
  remove: oneByOne(deleteAlert),
});
