import type { Requirements } from "./requirement.ts";

const LATER = "sign-up, sign-in and members are not built yet";
const ROTATE = "key rotation is not built yet";

/** Users, sign-in, workspaces and roles. */
export const accounts = {
  "accounts.sign-up": {
    states: "A user signs up with e-mail and password.",
    source: "decision",
    open: LATER,
  },
  "accounts.sign-in": {
    states: "A user signs in with e-mail and password.",
    source: "decision",
    open: LATER,
  },
  "accounts.password-hash": {
    states: "Passwords are stored as argon2id hashes only.",
    source: "decision",
  },
  "accounts.members.roles": {
    states: "A member is owner, admin, member or viewer.",
    source: "decision",
    open: LATER,
  },
  "accounts.members.invitation": {
    states: "Members are invited by link.",
    source: "decision",
    open: LATER,
  },
  "accounts.jwt.claims": {
    states: "A JWT is signed by the instance and claims sub, workspace_id and role.",
    source: "decision",
    open: LATER,
  },
  "accounts.jwt.lifetime": {
    states: "A JWT lives one hour and is refreshed by cookie.",
    source: "decision",
    open: LATER,
  },
  "accounts.jwt.foreign-signature": {
    states: "A JWT of another signer is refused.",
    source: "decision",
    open: LATER,
  },
  "accounts.plan.default": {
    states: "The first workspace of an instance starts on the enterprise plan.",
    source: "decision",
  },
  "accounts.plan.setting": { states: "DEFAULT_PLAN chooses another one.", source: "decision" },
  "accounts.encryption-key.made": {
    states: "Without ENCRYPTION_KEY an encryption key is made in the data folder at first start.",
    source: "decision",
  },
  "accounts.encryption-key.given": {
    states: "ENCRYPTION_KEY is used when it is given.",
    source: "decision",
  },
  "accounts.encryption-key.fingerprint": {
    states:
      "The key's fingerprint is stored and checked at every start; with another key the service does not start and says why.",
    source: "decision",
  },
  "accounts.encryption-key.rotate": {
    states: "muster rotate-key encrypts every secret anew with a new key.",
    source: "decision",
    open: ROTATE,
  },
} as const satisfies Requirements<"accounts">;
