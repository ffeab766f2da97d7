import { AppError } from "#domain/errors.ts";
import type { Services } from "../context.ts";

/** Checks that passwords are in use on this instance. @throws AppError `forbidden` when its operator switched them off. */
export function requirePasswords({ passwordSignIn, openId }: Pick<Services, "passwordSignIn" | "openId">): void {
  if (passwordSignIn === "on") return;
  const name = openId?.name ?? "the sign-in provider";
  throw new AppError("forbidden", `Passwords are switched off on this instance. Sign in with ${name}.`);
}
