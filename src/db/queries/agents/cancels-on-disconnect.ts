import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const READ = statement({
  name: "cancels-on-disconnect",
  text: `
    select 1 as one from runs t join agents a on a.id = t.agent_id
    where t.id = $1 and a.config->'cancel_on_disconnect' = 'true'::jsonb`,
});

/** Whether the agent of a task wants its run to end when the client that started it disconnects. */
export async function cancelsOnDisconnect(tx: Transaction, taskId: string): Promise<boolean> {
  return (await tx.query(READ, [taskId])).length > 0;
}
