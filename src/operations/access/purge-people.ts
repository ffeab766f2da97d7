import * as rows from "#db/queries/access/erasures.ts";
import type { EncryptedAnswer, ErasedPerson } from "#db/queries/access/erasures.ts";
import { UnreadableSecretError } from "#lib/security/secret-box.ts";
import type { Services } from "../context.ts";
import { answerContext } from "./answer-once.ts";

/** A shorter name is a part of other words. */
const UNIQUE_NAME = 4;

/**
 * Removes the names and addresses of people whose erasure has begun, and ends it. It can be stopped at any moment and run
 * concurrently.
 */
export async function purgePeople(services: Pick<Services, "db" | "secrets">): Promise<void> {
  for (const person of await rows.openPeople(services.db)) {
    await deleteAnswers(services, person);
    await rows.eraseTexts(services.db, person.id);
  }
}

/** Deletes the stored responses that name the person: they are encrypted, so only the service can look into them. */
async function deleteAnswers({ db, secrets }: Pick<Services, "db" | "secrets">, person: ErasedPerson): Promise<void> {
  function names({ workspaceId, key, bodyCiphertext }: EncryptedAnswer): boolean {
    try {
      const body = secrets.open(bodyCiphertext, answerContext(workspaceId, key));
      // Nobody repeats the person's own requests: their keys are gone.
      if (body.includes(person.id) || body.toLowerCase().includes(person.email)) return true;
      return person.name.length >= UNIQUE_NAME && body.includes(JSON.stringify(person.name).slice(1, -1));
    } catch (error) {
      if (error instanceof UnreadableSecretError) return true;
      throw error;
    }
  }
  let after = { workspaceId: "00000000-0000-0000-0000-000000000000", key: "" };
  for (;;) {
    const page = await rows.pageAnswers(db, after, person.id);
    const last = page.at(-1);
    if (last === undefined) return;
    after = last;
    await rows.deleteAnswers(db, person.id, page.filter(names));
  }
}
