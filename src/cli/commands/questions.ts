import { QUESTION_STATES } from "#domain/tasks/question-list.ts";
import { CONNECTION, LIMIT, parseCount } from "../arguments/arguments.ts";
import { asBody } from "../arguments/as-body.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { resolveId, resolveOptionalId } from "../arguments/resolve-record.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { listUpTo } from "../service/list-up-to.ts";
import { openSession } from "../service/session.ts";
import { formatTime } from "../terminal/format.ts";
import { fieldLines } from "../terminal/table.ts";
import { describeQuestion } from "../watch/question.ts";

const ID = { id: { type: "positional", description: "Id or title of the question" } } as const;

const list = defineCommand({
  summary: "List questions to people: open ones by deadline, others by when they were closed",
  args: {
    state: { type: "enum", options: [...QUESTION_STATES], default: "open", description: "Which ones" },
    ...LIMIT,
    ...CONNECTION,
  },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { muster, out } = openSession(args);
    const { items, hasMore } = await listUpTo(limit, (size) =>
      muster.listQuestions({ state: args.state, limit: size }),
    );
    if (args.json) out.json(items);
    else if (items.length === 0) out.note(`No ${args.state} questions.`);
    else {
      const rows = items.map(({ id, request, subject, asked_at, expires_at }) => [
        id,
        request.title,
        `${subject.kind} ${subject.title}`,
        formatTime(asked_at),
        formatTime(expires_at),
      ]);
      out.table(["ID", "QUESTION", "ASKED BY", "ASKED", "EXPIRES"], rows);
    }
    if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
    return EXIT.ok;
  },
});

const get = defineCommand({
  summary: "Show a question and how to answer it, or its answer",
  args: { ...ID, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    const question = await muster.getQuestion({ id: await resolveId(muster, "question", args.id) });
    const { state, subject, request, answer, answered_by, answered_name } = question;
    if (args.json) out.json(question);
    else if (state === "open") {
      for (const line of describeQuestion({ what: subject.kind, id: subject.id }, request)) out.line(line);
    } else {
      const lines = fieldLines({
        question: request.title,
        state,
        answer: answer === null ? null : JSON.stringify(answer),
        "answered by": answered_name ?? answered_by?.name ?? null,
        "answered at": formatTime(question.answered_at),
      });
      for (const line of lines) out.line(line);
    }
    return EXIT.ok;
  },
});

const link = defineCommand({
  summary: "Create a link with which a person without an account answers an open question once",
  examples: ['questions link "Publish it?"', 'questions link "Publish it?" --expires 2030-01-31T12:00:00Z'],
  args: {
    ...ID,
    expires: { type: "string", valueHint: "time", description: "When it expires (default: with the question)" },
    ...CONNECTION,
  },
  async run(args) {
    const { muster, out } = openSession(args);
    const id = await resolveId(muster, "question", args.id);
    const made = await muster.createAnswerLink({ id }, asBody({ expires_at: args.expires }));
    if (args.json) out.json(made);
    else {
      out.line(made.link);
      const end = made.expires_at === null ? "with the question" : formatTime(made.expires_at);
      out.note(`Copy the link now; it won't be shown again. It expires ${end}.`, "dim");
    }
    return EXIT.ok;
  },
});

const links = defineCommand({
  summary: "List the links to questions, newest first; the links themselves are never shown again",
  args: {
    question: { type: "string", valueHint: "id or title", description: "Only those of this open question" },
    ...LIMIT,
    ...CONNECTION,
  },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { muster, out } = openSession(args);
    const question = await resolveOptionalId(muster, "question", args.question);
    const { items, hasMore } = await listUpTo(limit, (size) =>
      muster.listAnswerLinks({ question_id: question, limit: size }),
    );
    if (args.json) out.json(items);
    else if (items.length === 0) out.note("No links. Create one: muster questions link <id>");
    else {
      const rows = items.map(({ id, state, question: asked, title, created_by, created_at, expires_at }) => [
        id,
        state,
        asked ?? title ?? "",
        created_by.name,
        formatTime(created_at),
        formatTime(expires_at),
      ]);
      out.table(["ID", "STATE", "QUESTION", "CREATED BY", "CREATED", "EXPIRES"], rows);
    }
    if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
    return EXIT.ok;
  },
});

const revoke = defineDeletion({
  kind: "answer link",
  effect: "It stops working immediately.",
  verb: "Revoke",
  remove: (muster, id) => muster.revokeAnswerLink({ id }),
});

/** `muster questions …` */
export default defineGroup("List questions to people, and share them as links", { list, get, link, links, revoke });
