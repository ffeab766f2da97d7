import { MusterError } from "#client/index.ts";
import type { Schemas } from "#client/index.ts";
import { safeText } from "../terminal/safe-text.ts";
import type { Session } from "./session.ts";

/**
 * Warns before the first run fails that the workspace cannot call an agent's model because its provider has no key or
 * base URL, and says what to add.
 */
export async function warnOfMissingKey(
  { muster, out }: Session,
  { model, provider }: Pick<Schemas["Agent"], "model" | "provider">,
): Promise<void> {
  const reason = await findObstacle(muster, provider);
  if (reason !== null) out.note(safeText(`The model ${model} cannot be called yet. ${reason}`), "yellow");
}

async function findObstacle(muster: Session["muster"], provider: string): Promise<string | null> {
  try {
    const { providers } = await muster.listModels();
    return providers.find(({ id }) => id === provider)?.unusable_reason ?? null;
  } catch (error) {
    // The command itself has succeeded.
    if (error instanceof MusterError) return null;
    throw error;
  }
}
