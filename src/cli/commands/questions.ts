import { QUESTION_STATES } from "#domain/tasks/question-list.ts";
import { asBody } from "../arguments/as-body.ts";
import { defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { defineList } from "../arguments/define-list.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { resolveId, resolveOptionalId } from "../arguments/resolve-record.ts";
import { formatTime } from "../terminal/format.ts";
import { describeVotes } from "../watch/describe-votes.ts";
import { describeQuestion } from "../watch/question.ts";

const ID = { id: { type: "positional", description: "Id or title of the question" } } as const;

const list = defineList({
  summary: "List questions to people: open ones by deadline, others by when they were closed",
  args: {
    state: { type: "enum", options: [...QUESTION_STATES], default: "open", description: "Which ones" },
  },
  read: (muster, { state, limit }) => muster.listQuestions({ state, limit }),
  none: ({ state }) => `No ${state} questions.`,
  row: ({ id, request, subject, asked_at, expires_at }) => ({
    ID: id,
    QUESTION: request.title,
    "ASKED BY": `${subject.kind} ${subject.title}`,
    ASKED: formatTime(asked_at),
    EXPIRES: formatTime(expires_at),
  }),
});

const get = defineRequest({
  summary: "Show a question and how to answer it, or its answer",
  args: ID,
  send: async ({ muster }, { id }) => muster.getQuestion({ id: await resolveId(muster, "question", id) }),
  print({ out }, { state, subject, request, answer, answered_by, answered_name, answered_at, ...ruled }) {
    if (state === "open") {
      for (const line of describeVotes(request, ruled)) out.line(line);
      for (const line of describeQuestion({ what: subject.kind, id: subject.id }, request)) out.line(line);
    } else {
      out.fields({
        question: request.title,
        state,
        answer: answer === null ? null : JSON.stringify(answer),
        "answered by": answered_name ?? answered_by?.name,
        "answered at": formatTime(answered_at),
      });
    }
  },
});

const link = defineRequest({
  summary: "Create a link with which a person without an account answers an open question once",
  examples: ['questions link "Publish it?"', 'questions link "Publish it?" --expires 2030-01-31T12:00:00Z'],
  args: {
    ...ID,
    expires: { type: "string", valueHint: "time", description: "When it expires (default: with the question)" },
  },
  send: async ({ muster }, { id, expires }) =>
    muster.createAnswerLink({ id: await resolveId(muster, "question", id) }, asBody({ expires_at: expires })),
  print({ out }, { link: url, expires_at }) {
    out.line(url);
    const end = expires_at === null ? "with the question" : formatTime(expires_at);
    out.note(`Copy the link now; it won't be shown again. It expires ${end}.`, "dim");
  },
});

const links = defineList({
  summary: "List the links to questions, newest first; the links themselves are never shown again",
  args: {
    question: { type: "string", valueHint: "id or title", description: "Only those of this open question" },
  },
  read: async (muster, { question, limit }) =>
    muster.listAnswerLinks({ question_id: await resolveOptionalId(muster, "question", question), limit }),
  none: ({ question }) => noneYet("answer link", question),
  row: ({ id, state, question, title, created_by, created_at, expires_at }) => ({
    ID: id,
    STATE: state,
    QUESTION: question ?? title,
    "CREATED BY": created_by.name,
    CREATED: formatTime(created_at),
    EXPIRES: formatTime(expires_at),
  }),
});

const revoke = defineDeletion({
  kind: "answer link",
  effect: "It stops working immediately.",
  verb: "Revoke",
  remove: (muster, id) => muster.revokeAnswerLink({ id }),
});

/** `muster questions …` */
export default defineGroup("List questions to people, and share them as links", { list, get, link, links, revoke });
