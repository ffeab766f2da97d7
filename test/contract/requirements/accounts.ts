import type { Requirements } from "./requirement.ts";

/** Users, sign-in, workspaces and roles. */
export const accounts = {
  "accounts.sign-up": {
    states: "A user signs up with e-mail and password.",
    source: "decision",
  },
  "accounts.sign-in": {
    states: "A user signs in with e-mail and password.",
    source: "decision",
  },
  "accounts.sign-up.closed": {
    states: "Nobody signs up unless SIGN_UP is open.",
    source: "decision",
  },
  "accounts.sign-in.reveals-nothing": {
    states: "A wrong password and an e-mail address without an account are answered alike.",
    source: "decision",
  },
  "accounts.sign-in.limited": {
    states: "Attempts to sign in are limited by e-mail address and by client address: 429 with Retry-After.",
    source: "decision",
  },
  "accounts.sign-in.limited.across-processes": {
    states: "All processes count those attempts together.",
    source: "decision",
  },
  "accounts.sign-in.limited.never-fails-open": {
    states: "Attempts that cannot be counted are rejected.",
    source: "decision",
  },
  "accounts.password-hash": {
    states: "Passwords are stored as argon2id hashes only.",
    source: "decision",
  },
  "accounts.members.roles": {
    states: "A member is owner, admin, member or viewer.",
    source: "decision",
  },
  "accounts.members.list": {
    states: "Every member sees who else is one, and with which role.",
    source: "goal",
  },
  "accounts.members.endpoints-by-role": {
    states: "A viewer reads; a member also defines and runs; an admin also manages; an owner also ends the workspace.",
    source: "decision",
  },
  "accounts.members.database-roles": {
    states: "The database itself lets each role do no more than that.",
    source: "decision",
  },
  "accounts.members.owners-by-owners": {
    states: "Admins manage everybody but owners; only an owner makes or removes owners.",
    source: "goal",
  },
  "accounts.members.last-owner": {
    states: "The last owner can neither leave nor be demoted, also when two try at once.",
    source: "goal",
  },
  "accounts.members.leave": { states: "Every member may leave.", source: "goal" },
  "accounts.members.keys-end": {
    states: "Whoever is removed has no key of the workspace any more, at once and in every process.",
    source: "goal",
  },
  "accounts.members.role-at-once": {
    states: "A changed role counts at once, also for the person's keys, in every process.",
    source: "goal",
  },
  "accounts.members.foreign-looks-unknown": {
    states: "A person of another workspace is answered as if nobody had that id.",
    source: "goal",
  },
  "accounts.members.invitation": {
    states: "Members are invited by link.",
    source: "decision",
  },
  "accounts.invitations.once": {
    states: "An invitation is good for one use, also when two try at once.",
    source: "goal",
  },
  "accounts.invitations.closed-alike": {
    states: "A link that was used, has expired, was withdrawn or never existed gets the same answer.",
    source: "goal",
  },
  "accounts.invitations.stored-hashed": {
    states: "The link's token is shown once and stored as its SHA-256 only.",
    source: "goal",
  },
  "accounts.invitations.existing-account": {
    states: "Somebody with an account accepts with its password only, and can be tried five times.",
    source: "goal",
  },
  "accounts.invitations.claim-nothing": {
    states:
      "An account that comes with an invitation does not claim its e-mail address, unless the operator invites: others can still sign up and be invited with it.",
    source: "decision",
  },
  "accounts.sign-in.known-device": {
    states:
      "A browser in which a person has signed in has its own count of wrong passwords: guesses elsewhere do not lock it out.",
    source: "decision",
  },
  "accounts.invitations.rights": {
    states: "Nobody invites to a role above their own, and an invitation ends with its maker's right to make it.",
    source: "goal",
  },
  "accounts.workspaces.several": {
    states: "A user may have several workspaces; who makes one owns it.",
    source: "goal",
  },
  "accounts.workspaces.rename": { states: "An admin renames the workspace.", source: "goal" },
  "accounts.workspaces.delete": {
    states: "The owner deletes a workspace by typing its name; its work stops and everything in it goes.",
    source: "goal",
  },
  "accounts.jwt.claims": {
    states: "A JWT is signed by the instance and claims sub, workspace_id and role.",
    source: "decision",
  },
  "accounts.jwt.lifetime": {
    states: "A JWT lives one hour and is refreshed by cookie.",
    source: "decision",
  },
  "accounts.jwt.foreign-signature": {
    states: "A JWT of another signer is rejected.",
    source: "decision",
  },
  "accounts.jwt.bound": {
    states: "A secret that was made for one purpose is rejected for every other.",
    source: "decision",
  },
  "accounts.session.cookie": {
    states:
      "The refresh cookie is HttpOnly, SameSite=Strict, for /auth only, and Secure where the service is reached by https.",
    source: "decision",
  },
  "accounts.session.rotation": {
    states: "Each refresh replaces the refresh token, and the database holds hashes of tokens only.",
    source: "decision",
  },
  "accounts.session.grace": {
    states: "Of several refreshes at the same time each succeeds.",
    source: "decision",
  },
  "accounts.session.reuse": {
    states: "A refresh token that was replaced and comes back ends its session.",
    source: "decision",
  },
  "accounts.session.revocable": {
    states: "Users list and end their own sessions, and a token of an ended one is rejected at once by every process.",
    source: "decision",
  },
  "accounts.session.lifetime": {
    states: "A session ends 30 days after its last refresh, one without a cookie after an hour; its rows are purged.",
    source: "decision",
  },
  "accounts.session.role-now": {
    states: "A token does what the member's role allows now, and nothing when the member has left, in every process.",
    source: "decision",
  },
  "accounts.session.cross-site": {
    states: "Other sites' pages cannot use the cookie, nor sign anybody in.",
    source: "decision",
  },
  "accounts.password.change": {
    states: "Users change their password with the old one; their other sessions end.",
    source: "decision",
  },
  "accounts.password.reset": {
    states: "muster reset-password makes a link with which a user sets a new password, once; all sessions end.",
    source: "decision",
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
    states: "muster rotate-key encrypts every secret again with a new key.",
    source: "decision",
  },
  "accounts.workspaces.delete-staged": {
    states:
      "A deleted workspace is closed at once; its rows go in small transactions, which continue after the death of a process.",
    source: "goal",
  },
} as const satisfies Requirements<"accounts">;
