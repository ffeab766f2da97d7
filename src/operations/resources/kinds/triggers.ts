import { triggerCreate, triggerPatch, triggerSecretContext } from "#domain/schedules/trigger.ts";
import { readTriggerSecret } from "#db/queries/schedules/triggers.ts";
import { createTrigger, deleteTrigger, updateTrigger } from "../../schedules/triggers.ts";
import { defineResourceKind, idOf, oneByOne, pick, written } from "../resource-kind.ts";
import { ASSIGNEES } from "./assignees.ts";

const FIELDS = Object.keys(triggerCreate.shape);

/** Triggers. A new one gets a URL of its own. */
export const triggers = defineResourceKind({
  resource: "trigger",
  folder: "triggers",
  schema: triggerCreate,
  listed: "trigger",
  references: ASSIGNEES,
  secretsOf: () => ["secret"],
  fieldsOf: (record) => ({ ...pick(record, FIELDS), secret: record["has_secret"] === true ? "stored" : null }),
  notesOf: () => ["its URL ends"],
  async openSecrets({ db, secrets, who: { workspaceId } }, id) {
    // As the service: no role of people may read secrets, which are only compared.
    const encrypted = await readTriggerSecret(db, { id, workspaceId });
    return encrypted === null
      ? new Map()
      : new Map([["secret", secrets.open(encrypted, triggerSecretContext(workspaceId, id))]]);
  },
  begin: written({
    create: triggerCreate,
    patch: triggerPatch,
    async add(workspace, fields) {
      const { record, token } = await createTrigger(workspace, fields);
      return { id: idOf(record), token };
    },
    change: (workspace, id, patch) => updateTrigger(workspace, { id, patch }),
  }),
  remove: oneByOne(deleteTrigger),
});
