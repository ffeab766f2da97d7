import type { Requirements } from "./requirement.ts";

/** Uploaded files and their signed addresses. */
export const attachments = {
  "attachments.upload": {
    states: "POST /files takes a multipart upload and returns the file's id.",
    source: "decision",
  },
  "attachments.upload.limit": { states: "A file above 10 MB is rejected.", source: "decision" },
  "attachments.upload.setting": { states: "MAX_FILE_BYTES sets another limit.", source: "goal" },
  "attachments.upload.types": {
    states: "Text, PDF, DOCX, PNG, JPEG, GIF and WebP are accepted; programs, archives and unknown types are 415.",
    source: "goal",
  },
  "attachments.upload.mismatch": {
    states: "A file whose content does not match its declared type is 400.",
    source: "goal",
  },
  "attachments.upload.form": {
    states: "A body that is not a form, an empty file, or a form with other fields is 400 with the reason.",
    source: "goal",
  },
  "attachments.upload.name": {
    states: "A file's name is stored without folders, control characters and characters that some systems forbid.",
    source: "goal",
  },
  "attachments.upload.idempotent": {
    states: "Repeated uploads with one Idempotency-Key store one file, although each form has different boundaries.",
    source: "goal",
  },
  "attachments.upload.who": {
    states: "An upload needs an envelope key or an access token that may write.",
    source: "goal",
  },
  "attachments.read": {
    states: "GET /files/:id returns a file's name, type, size and URL; GET /files lists files page by page.",
    source: "goal",
  },
  "attachments.delete": {
    states: "DELETE /files/:id deletes a file with its content; a file of a task or run in progress is not deleted.",
    source: "goal",
  },
  "attachments.storage.folder": { states: "Files are stored in the data folder.", source: "decision" },
  "attachments.storage.checked": {
    states: "The start reports a bucket that rejects storing, reading or deleting a file.",
    source: "goal",
  },
  "attachments.storage.s3": {
    states: "A setting stores files in an S3-compatible bucket instead.",
    source: "decision",
  },
  "attachments.storage.settings": {
    states: "Without its key a bucket ends the start with an error that names the missing setting.",
    source: "goal",
  },
  "attachments.storage.missing": {
    states:
      "The error for content that is missing from the store states what machines that share a database must configure.",
    source: "goal",
  },
  "attachments.storage.unused": {
    states: "An upload that no task or run uses is deleted after a day, with its content.",
    source: "goal",
  },
  "attachments.url.signed": {
    states: "A file's URL is signed and works without a key for 24 hours.",
    source: "contract",
  },
  "attachments.url.expired": {
    states: "An expired URL, or one with another signature, is rejected.",
    source: "decision",
  },
  "attachments.url.headers": {
    states: "Content has its type and name and is saved, not executed: attachment, nosniff, sandbox.",
    source: "goal",
  },
  "attachments.url.processes": {
    states: "A URL that one process signed is valid on every process with the same encryption key.",
    source: "goal",
  },
  "attachments.task.link": {
    states: "A task can be created with the ids of uploaded files, which then belong to it.",
    source: "decision",
  },
  "attachments.task.refused": {
    states:
      "Unknown, foreign and used ids are 400 and create no task or run; only one of concurrent requests gets a file.",
    source: "goal",
  },
  "attachments.task.record": {
    states: "The record of a task or a run lists its files with id, name, type, size and direction.",
    source: "goal",
  },
  "attachments.prompt.text": {
    states: "A task's prompt ends with its attached files: the text, name and type of each.",
    source: "decision",
  },
  "attachments.prompt.documents": {
    states: "The prompt contains the text of PDF and DOCX files, or the reason why a file cannot be read.",
    source: "goal",
  },
  "attachments.prompt.cut": {
    states: "A prompt contains up to 100,000 characters of each file and 300,000 of all, and marks where text is cut.",
    source: "goal",
  },
  "attachments.prompt.images": {
    states: "Models with vision get images as image parts; the prompt names the images for other models.",
    source: "goal",
  },
  "attachments.prompt.runs": {
    states: "In a team run the model gets the files in every turn.",
    source: "goal",
  },
  "attachments.runs.link": { states: "POST /api-runs takes attachments as POST /api-tasks does.", source: "goal" },
  "attachments.output.blocks": {
    states:
      "A fenced code block of a result that has a file name becomes a file of the task, with the direction output.",
    source: "goal",
  },
  "attachments.output.runs": {
    states:
      "The same applies to the output of a team run; its files belong to the task that the team works on, if any.",
    source: "goal",
  },
  "attachments.output.skipped": {
    states:
      "When the search of a result for files exceeds its limits, the result has no files and an event reports it.",
    source: "decision",
  },
  "attachments.output.once": {
    states: "The files of a result are written with the end of the run; a crash neither loses nor duplicates one.",
    source: "goal",
  },
  "attachments.output.store-away": {
    states: "When the store is unavailable, the result is stored without its files, and the log reports it.",
    source: "goal",
  },
  "attachments.payload": {
    states: "A delivery contains name, type, size, signed url and direction of the files of its attempt.",
    source: "contract",
  },
  "attachments.forks": { states: "A fork has copies of the original run's files.", source: "goal" },
  "attachments.ag-ui": {
    states:
      "Files that a standard AG-UI client sends inline or by URL are attached to its task; other file parts are 400.",
    source: "goal",
  },
  "attachments.removed": {
    states:
      "Files are deleted with their task, including their contents, and cannot be deleted while it is in progress.",
    source: "goal",
  },
  "attachments.missing": {
    states: "A run whose file cannot be read fails with FILE_UNAVAILABLE and the file's name.",
    source: "goal",
  },
} as const satisfies Requirements<"attachments">;
