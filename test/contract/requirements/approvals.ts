import type { Requirements } from "./requirement.ts";

/** Approvals as a policy: rules on which calls of tools people approve. */
export const approvals = {
  "approvals.when": {
    states: "A rule asks about calls by tool, arguments, cost so far and first use; other calls are made at once.",
    source: "goal",
  },
  "approvals.reason": {
    states: "The question shows why it is asked, the arguments, the cost so far and the expected cost of going on.",
    source: "goal",
  },
  "approvals.need": {
    states: "A question is approved by as many people as its rule needs, each of whom has one vote.",
    source: "goal",
  },
  "approvals.denials": {
    states: "One denial denies a call, or as many as its rule says, or the vote after which nobody is left to approve.",
    source: "decision",
  },
  "approvals.starter": {
    states: "Who started a run, or its attempt, does not count as its approver unless the rule says so.",
    source: "goal",
  },
  "approvals.who": {
    states:
      "Only the people whom a rule asks may answer; a key counts as its person if the rule says so, a link never.",
    source: "decision",
  },
  "approvals.escalation": {
    states: "After the time of a rule more people are asked, notified, and may answer.",
    source: "goal",
  },
  "approvals.else": {
    states: "At the last deadline the run fails, or the call is denied or allowed, as the rule says.",
    source: "goal",
  },
  "approvals.unmeetable": {
    states: "A rule that can never be met, or names what does not exist, is refused with the path and a reason.",
    source: "goal",
  },
  "approvals.left": {
    states: "A question that can no longer be met says so, and its rule's escalation and ending apply.",
    source: "goal",
  },
  "approvals.closed": {
    states: "A run whose rules cannot be read fails before it calls a tool.",
    source: "decision",
  },
  "approvals.workspace": {
    states: "An admin's rules of the workspace come before those of its agents and hold for all of them.",
    source: "goal",
  },
  "approvals.record": {
    states: "Each vote is in the record with person, channel and time, with the arguments that were seen.",
    source: "goal",
  },
  "approvals.race": {
    states: "Of votes at the same time over two processes each counts once, and who is late sees who was first.",
    source: "goal",
  },
  "approvals.linear": {
    states: "A regular expression of a rule is matched in linear time.",
    source: "goal",
  },
  "approvals.channel": {
    states: "A rule asks the members of a route of kind people, and asks in its channel, from its stage on.",
    source: "goal",
  },
  "approvals.channel.votes": {
    states:
      "A press in Slack, Telegram or Discord is the vote of the member whom the route knows by it; the message shows the votes.",
    source: "goal",
  },
  "approvals.channel.left": {
    states: "A press of a member who has left, or may no longer answer, is a stranger's.",
    source: "goal",
  },
  "approvals.channel.shown": {
    states:
      "A message shows the arguments as they are, with what is invisible in them, and what happens at the deadline; one that was deleted is not an error.",
    source: "goal",
  },
  "approvals.channel.refused": {
    states: "A rule is refused when its channel does not exist, is off, or has too few members.",
    source: "goal",
  },
  "approvals.channel.members": {
    states: "An admin says who is who in a route's channel: members, each once, each with an own id at the vendor.",
    source: "goal",
  },
  "approvals.forks": {
    states:
      "A fork cannot change what people voted; from an earlier step it asks again, and the source's record stays.",
    source: "goal",
  },
  "approvals.portable": {
    states: "Exports name a rule's people by e-mail address; what an import or an install cannot keep is a warning.",
    source: "goal",
  },
  "approvals.teams": {
    states: "Rules hold for tools that a team's mode gives to its agents, and a decision stays as it was on resume.",
    source: "decision",
  },
  "approvals.console.workspace": {
    states:
      "The settings edit the workspace's rules with their channels and escalations; a change by another admin is not lost.",
    source: "goal",
  },
  "approvals.console": {
    states: "The console edits an agent's rules as sentences, and shows a question's reason, votes and voters.",
    source: "goal",
  },
} as const satisfies Requirements<"approvals">;
