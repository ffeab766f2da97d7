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
    states: "Sign-up is rejected unless SIGN_UP is open.",
    source: "decision",
  },
  "accounts.sign-in.reveals-nothing": {
    states: "A wrong password and an unknown e-mail address get the same response.",
    source: "decision",
  },
  "accounts.sign-in.limited": {
    states: "Attempts to sign in are limited by e-mail address and by client address: 429 with Retry-After.",
    source: "decision",
  },
  "accounts.sign-in.limited.by-network": {
    states: "Guesses from one network do not keep a person's programs elsewhere from signing in.",
    source: "goal",
  },
  "accounts.sign-in.limited.across-processes": {
    states: "All processes count those attempts together.",
    source: "decision",
  },
  "accounts.sign-in.limited.never-fails-open": {
    states: "Attempts that cannot be counted are rejected.",
    source: "decision",
  },
  "accounts.password.reset.unlocks": {
    states: "A new password set by the operator's link ends the lockout by wrong passwords.",
    source: "goal",
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
    states: "Every member sees all members and their roles.",
    source: "goal",
  },
  "accounts.members.endpoints-by-role": {
    states:
      "A viewer reads; a member also defines and runs; an admin also manages; an owner also deletes the workspace.",
    source: "decision",
  },
  "accounts.members.database-roles": {
    states: "The database roles enforce the same limits.",
    source: "decision",
  },
  "accounts.members.owners-by-owners": {
    states: "Admins manage all members except owners; only an owner adds or removes owners.",
    source: "goal",
  },
  "accounts.members.last-owner": {
    states: "The last owner can neither leave nor be demoted, also with two concurrent requests.",
    source: "goal",
  },
  "accounts.members.leave": { states: "Every member can leave.", source: "goal" },
  "accounts.members.keys-end": {
    states: "Every process rejects a removed member's keys immediately.",
    source: "goal",
  },
  "accounts.members.role-at-once": {
    states: "A changed role applies immediately, also to the person's keys, in every process.",
    source: "goal",
  },
  "accounts.members.foreign-looks-unknown": {
    states: "A person of another workspace gets the same response as an unknown id.",
    source: "goal",
  },
  "accounts.members.invitation": {
    states: "Members are invited by link.",
    source: "decision",
  },
  "accounts.invitations.once": {
    states: "An invitation can be used once, also with two concurrent requests.",
    source: "goal",
  },
  "accounts.invitations.closed-alike": {
    states: "Used, expired, withdrawn and unknown links get the same response.",
    source: "goal",
  },
  "accounts.invitations.stored-hashed": {
    states: "The link's token is shown once and stored as its SHA-256 only.",
    source: "goal",
  },
  "accounts.invitations.existing-account": {
    states:
      "The owner of an existing account accepts an invitation with the account's password, in at most five tries.",
    source: "goal",
  },
  "accounts.invitations.claim-nothing": {
    states:
      "An account created by an invitation does not claim its e-mail address, unless the operator sent the invitation. Others can still sign up and be invited with that address.",
    source: "decision",
  },
  "accounts.sign-in.known-device": {
    states:
      "A browser in which a person has signed in has a separate count of wrong passwords; guesses elsewhere do not lock it out.",
    source: "decision",
  },
  "accounts.invitations.rights": {
    states: "A member can only invite to roles up to their own; an invitation ends when its creator loses that right.",
    source: "goal",
  },
  "accounts.workspaces.several": {
    states: "A user may have several workspaces; the creator of a workspace owns it.",
    source: "goal",
  },
  "accounts.workspaces.rename": { states: "An admin renames the workspace.", source: "goal" },
  "accounts.workspaces.delete": {
    states: "The owner deletes a workspace by typing its name; its work stops and all of its data is deleted.",
    source: "goal",
  },
  "accounts.workspaces.first": {
    states: "The first workspace, whose owners operate the instance, cannot be deleted: 409.",
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
    states: "A JWT of another issuer is rejected.",
    source: "decision",
  },
  "accounts.jwt.bound": {
    states: "A secret issued for one purpose is rejected for every other.",
    source: "decision",
  },
  "accounts.session.cookie": {
    states:
      "The refresh cookie is HttpOnly, SameSite=Strict and for /auth only; where the service is reached by https, it is Secure and has the prefix __Host-.",
    source: "decision",
  },
  "accounts.session.rotation": {
    states: "Each refresh replaces the refresh token, and the database holds hashes of tokens only.",
    source: "decision",
  },
  "accounts.session.grace": {
    states: "Concurrent refreshes of a session all succeed.",
    source: "decision",
  },
  "accounts.session.reuse": {
    states: "Reuse of a replaced refresh token ends its session.",
    source: "decision",
  },
  "accounts.session.revocable": {
    states: "Users list and end their own sessions; every process rejects a token of an ended session immediately.",
    source: "decision",
  },
  "accounts.session.lifetime": {
    states: "A session ends 30 days after its last refresh, without a cookie after an hour; its rows are purged.",
    source: "decision",
  },
  "accounts.session.role-now": {
    states:
      "A token has the rights of the member's current role, and none after the member has left, in every process.",
    source: "decision",
  },
  "accounts.session.cross-site": {
    states: "Pages of other sites can neither use the cookie nor sign a person in.",
    source: "decision",
  },
  "accounts.password.change": {
    states: "Users change their password with the old one; their other sessions end.",
    source: "decision",
  },
  "accounts.password.reset": {
    states: "muster reset-password creates a link that sets a new password once; all sessions end.",
    source: "decision",
  },
  "accounts.plan.default": {
    states: "The first workspace of an instance starts on the enterprise plan.",
    source: "decision",
  },
  "accounts.plan.setting": { states: "DEFAULT_PLAN chooses another plan.", source: "decision" },
  "accounts.plan.sign-ups": {
    states: "With SIGN_UP=open, a workspace after the first starts on the free plan.",
    source: "decision",
  },
  "accounts.plan.set": {
    states: "Owners of the first workspace list all workspaces and set their plans; the audit log has each change.",
    source: "decision",
  },
  "accounts.plan.command": {
    states: "muster workspaces lists the workspaces of the instance and sets their plans on the service's machine.",
    source: "decision",
  },
  "accounts.encryption-key.made": {
    states: "Without ENCRYPTION_KEY the first start creates an encryption key in the data folder.",
    source: "decision",
  },
  "accounts.encryption-key.given": {
    states: "ENCRYPTION_KEY is used when it is set.",
    source: "decision",
  },
  "accounts.encryption-key.fingerprint": {
    states:
      "Every start checks the stored fingerprint of the key; with another key the start fails and states the reason.",
    source: "decision",
  },
  "accounts.encryption-key.rotate": {
    states: "muster rotate-key encrypts every secret again with a new key.",
    source: "decision",
  },
  "accounts.encryption-key.rotate-serving": {
    states: "The key is changed while processes serve; they learn of it without a restart and answer all the time.",
    source: "goal",
  },
  "accounts.encryption-key.rotate-resumes": {
    states: "A killed rotation leaves every secret readable, and the next run continues it; a second one is refused.",
    source: "goal",
  },
  "accounts.encryption-key.retired": {
    states: "A data key is deleted only when nothing uses it; what is written with it afterwards is rejected.",
    source: "goal",
  },
  "accounts.encryption-key.command": {
    states:
      "ENCRYPTION_KEY_COMMAND prints the key, without a shell; its output is never logged, its failure is one sentence.",
    source: "goal",
  },
  "accounts.workspaces.delete-staged": {
    states:
      "A deleted workspace closes immediately; small transactions delete its rows and continue after a process dies.",
    source: "goal",
  },
  "accounts.provider.sign-in": {
    states: "A person signs in at the instance's OpenID provider by code with PKCE, and gets to the page they wanted.",
    source: "goal",
  },
  "accounts.provider.match": {
    states: "Accounts are matched by issuer and subject; an address that goes to another person opens no account.",
    source: "goal",
  },
  "accounts.provider.invited": {
    states: "An invitation counts for a person whose address the provider says is verified, and for nobody else.",
    source: "goal",
  },
  "accounts.provider.unproved": {
    states: "An account whose address nobody had verified loses its password and sessions when its person signs in.",
    source: "goal",
  },
  "accounts.provider.claimed": {
    states:
      "An account whose person alone says that the address is theirs, by a sign-up or a change, is given to nobody else.",
    source: "goal",
  },
  "accounts.provider.once": {
    states: "A sign-in at the provider counts once, on all processes, in the browser that began it.",
    source: "goal",
  },
  "accounts.provider.tabs": {
    states: "Sign-ins that were begun in several tabs of a browser all finish, and another site's link stops none.",
    source: "goal",
  },
  "accounts.provider.claims": {
    states: "Names and ids of the provider that cannot be stored or shown fail no sign-in, or are refused by name.",
    source: "goal",
  },
  "accounts.provider.id-token": {
    states:
      "Signature, algorithm, issuer, audience, nonce and times of an ID token are checked, with a minute's tolerance.",
    source: "goal",
  },
  "accounts.provider.keys": {
    states: "Keys that the provider has just changed are accepted without a restart or a wait.",
    source: "goal",
  },
  "accounts.provider.down": {
    states:
      "A provider that is down or hangs gives a page, stops neither the service nor passwords, and counts as no attempt.",
    source: "goal",
  },
  "accounts.provider.next": {
    states: "A sign-in at the provider leads to pages of the service only.",
    source: "goal",
  },
  "accounts.provider.secret": {
    states: "The client's secret, codes and tokens of the provider are never logged.",
    source: "goal",
  },
  "accounts.sessions.ended-by-admin": {
    states: "An admin ends all sessions of a member, on all processes at once, which the log records; keys stay.",
    source: "goal",
  },
  "accounts.provider.groups": {
    states: "Groups of the provider give roles in workspaces, and each sign-in takes back what they no longer give.",
    source: "goal",
  },
  "accounts.provider.groups.workspaces": {
    states: "Rules name a workspace by its id or any of its slugs; where none is left, what groups gave ends.",
    source: "goal",
  },
  "accounts.provider.groups.unverified": {
    states: "Groups let nobody in under an address that another account owns, unless the provider has verified it.",
    source: "goal",
  },
  "accounts.provider.groups.by-hand": {
    states: "Memberships by invitation or by hand stay, whatever a person's groups are.",
    source: "goal",
  },
  "accounts.provider.groups.last-owner": {
    states: "Neither rules without an owner nor groups that vanish leave a workspace without an owner.",
    source: "goal",
  },
  "accounts.provider.session-end": {
    states: "A session that began at the provider ends after OIDC_SESSION_HOURS, so that changes there count.",
    source: "goal",
  },
  "accounts.provider.sign-out": {
    states: "Who signs out of a session that began at the provider is led to its sign-out page.",
    source: "goal",
  },
  "accounts.provider.only": {
    states: "With PASSWORD_SIGN_IN=off no password opens anything; it needs a provider, or the service does not start.",
    source: "goal",
  },
  "accounts.provider.break-glass": {
    states: "With passwords off, muster setup-link prints a link that signs the owner in, once.",
    source: "goal",
  },
  "accounts.provider.programs": {
    states: "A program calls with an access token of the provider for our audience, with its role and under its name.",
    source: "goal",
  },
  "accounts.provider.programs.refused": {
    states: "Forged, expired and foreign access tokens, and those of clients without a rule, open nothing.",
    source: "goal",
  },
  "accounts.passkeys.sign-in": {
    states: "A person adds, names, lists and removes passkeys, and signs in with one that names them.",
    source: "goal",
  },
  "accounts.passkeys.once": {
    states:
      "A challenge counts once, on all processes, within five minutes, for the purpose and person it was made for.",
    source: "goal",
  },
  "accounts.passkeys.refused": {
    states:
      "A foreign site, a forged signature, no verification, a counter that did not rise, another's or a removed passkey are refused, each in a sentence.",
    source: "goal",
  },
  "accounts.passkeys.host-name": {
    states: "Where the service has no host name, passkeys are refused with a sentence that says what to do.",
    source: "goal",
  },
  "accounts.passkeys.required": {
    states: "A workspace that requires passkeys is closed to sessions that a password opened, on all processes.",
    source: "goal",
  },
  "accounts.passkeys.required.add": {
    states: "Who has no passkey adds one after a sign-in with the password; who has one must use it to change any.",
    source: "goal",
  },
  "accounts.passkeys.required.exempt": {
    states: "Sessions that began at the provider, and keys, open a workspace that requires passkeys.",
    source: "goal",
  },
  "accounts.passkeys.required.lock-out": {
    states:
      "Passkeys are required only by who has used one; muster reset-passkeys and setup-link let people in who lost theirs.",
    source: "goal",
  },
  "accounts.passkeys.audit": {
    states: "Adding, renaming, removing and misusing a passkey are in the log of the person's workspaces.",
    source: "goal",
  },
  "accounts.passkeys.limits": {
    states: "Failed uses of passkeys are limited as wrong passwords are, and a person has at most 20.",
    source: "goal",
  },
  "accounts.passkeys.kept": {
    states: "A reset of the password keeps passkeys and ends sessions; the removal of an account erases them.",
    source: "goal",
  },
  "accounts.mail.invitations": {
    states: "With SMTP_URL, an invited person gets one mail with a link of its own, which is stored nowhere.",
    source: "goal",
  },
  "accounts.mail.password": {
    states: "Who forgot the password gets a link by mail; nothing tells whether an address has an account.",
    source: "goal",
  },
  "accounts.mail.retries": {
    states: "A mail that the server does not take now is sent again later, and once.",
    source: "goal",
  },
  "accounts.mail.limits": {
    states: "Mails for forgotten passwords are limited by address and by client.",
    source: "goal",
  },
  "accounts.mail.questions": {
    states: "A person gets the kinds of questions that they chose by mail, once, with a link to the page that asks.",
    source: "goal",
  },
  "accounts.mail.questions.who": {
    states:
      "A question is mailed to those who may answer it now: not to who started the run, and later at an escalation.",
    source: "goal",
  },
  "accounts.mail.questions.stop": {
    states: "Each such mail has a link that ends them, by a press or by the mail program; to look at it ends nothing.",
    source: "goal",
  },
  "accounts.mail.questions.setting": {
    states: "Mails about questions are off until the person chooses kinds in the profile; without SMTP_URL none are.",
    source: "goal",
  },
  "accounts.mail.questions.console": {
    states:
      "The profile in the console turns mails about questions on and off, by kind, where the instance sends mail.",
    source: "goal",
  },
  "accounts.mail.off": {
    states: "Without SMTP_URL no mail is promised, and links are shown; half of the settings does not start.",
    source: "goal",
  },
} as const satisfies Requirements<"accounts">;
