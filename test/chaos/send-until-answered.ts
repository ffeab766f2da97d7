import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "../support/api.ts";
import type { TestService } from "../support/service.ts";
import type { Dice } from "#lib/dice.ts";
import type { Scene } from "./scene.ts";

const PAUSE_MS = 50;

/**
 * Sends a request to processes chosen at random until one answers it, even with a rejection. The request must be safe
 * to repeat.
 * @throws the reason of the scene's `givenUp`
 */
export async function sendUntilAnswered(
  { fleet, givenUp }: Pick<Scene, "fleet" | "givenUp">,
  dice: Dice,
  request: (service: TestService) => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    givenUp.throwIfAborted();
    const service = fleet.any(dice);
    const answer = service && (await request(service).catch(() => undefined));
    if (answer !== undefined && answer.status < 500) return answer;
    await sleep(PAUSE_MS);
  }
}
