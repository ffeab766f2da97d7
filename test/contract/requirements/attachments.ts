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
    states: "Text, PDF, DOCX, PNG, JPEG, GIF and WebP are taken; programs, archives and whatever is unknown are 415.",
    source: "goal",
  },
  "attachments.upload.mismatch": {
    states: "A file whose content is not of the type that its sender declares is 400.",
    source: "goal",
  },
  "attachments.upload.form": {
    states: "A body that is no form, an empty file, or a form with other fields is 400 and says so.",
    source: "goal",
  },
  "attachments.upload.name": {
    states: "A file's name is kept without folders, control characters and what some system forbids.",
    source: "goal",
  },
  "attachments.upload.idempotent": {
    states: "An upload with an Idempotency-Key is done once, although a form that is sent again has other boundaries.",
    source: "goal",
  },
  "attachments.upload.who": {
    states: "Files are uploaded with an envelope key or an access token, and not by who may only read.",
    source: "goal",
  },
  "attachments.read": {
    states: "GET /files/:id tells a file's name, type, size and address; GET /files lists them page by page.",
    source: "goal",
  },
  "attachments.delete": {
    states: "DELETE /files/:id removes a file with its content, but not one whose task or run is in progress.",
    source: "goal",
  },
  "attachments.storage.folder": { states: "Files are kept under the data folder.", source: "decision" },
  "attachments.storage.checked": {
    states: "A bucket that rejects to store, give or delete a file is reported when the service starts.",
    source: "goal",
  },
  "attachments.storage.s3": {
    states: "A setting keeps them in an S3-compatible bucket instead.",
    source: "decision",
  },
  "attachments.storage.settings": {
    states: "A bucket without its key stops the start with a sentence that names what is missing.",
    source: "goal",
  },
  "attachments.storage.missing": {
    states: "A content that is not in the store is told as that, with what machines that share a database must do.",
    source: "goal",
  },
  "attachments.storage.unused": {
    states: "An upload that no task or run was made with goes after a day, with its content.",
    source: "goal",
  },
  "attachments.url.signed": {
    states: "A file's address is signed and works without a key for 24 hours.",
    source: "contract",
  },
  "attachments.url.expired": {
    states: "After that, or with another signature, it is rejected.",
    source: "decision",
  },
  "attachments.url.headers": {
    states: "Content comes with its type and name, to be saved and not run: attachment, nosniff, sandbox.",
    source: "goal",
  },
  "attachments.url.processes": {
    states: "An address that one process made is good at every other with the same encryption key.",
    source: "goal",
  },
  "attachments.task.link": {
    states: "A task is created with the ids of uploaded files, which belong to it from then on.",
    source: "decision",
  },
  "attachments.task.refused": {
    states:
      "Ids that are unknown, foreign or taken are 400, and no task or run is made; of several requests one gets a file.",
    source: "goal",
  },
  "attachments.task.record": {
    states: "The record of a task or a run lists its files with id, name, type, size and direction.",
    source: "goal",
  },
  "attachments.prompt.text": {
    states: "A task's prompt ends with its attached files: the text of each, with its name and type.",
    source: "decision",
  },
  "attachments.prompt.documents": {
    states: "The text of PDF and DOCX files is read to the model; of one that cannot be read it is told the reason.",
    source: "goal",
  },
  "attachments.prompt.cut": {
    states: "A model is given 100,000 characters of a file and 300,000 of all, and told where text was cut.",
    source: "goal",
  },
  "attachments.prompt.images": {
    states: "Images reach models that see as image parts; a model that does not see is told of them.",
    source: "goal",
  },
  "attachments.prompt.runs": {
    states: "In a team's run the files reach the model in every turn.",
    source: "goal",
  },
  "attachments.runs.link": { states: "POST /api-runs takes attachments as POST /api-tasks does.", source: "goal" },
  "attachments.output.blocks": {
    states:
      "A fenced code block of a result that has a file name becomes a file of the task, with the direction output.",
    source: "goal",
  },
  "attachments.output.runs": {
    states: "The same holds for the output of a team's run; the files belong to the task whose work it does, if any.",
    source: "goal",
  },
  "attachments.output.skipped": {
    states: "A result whose files cannot be found within limits comes without files, and an event says so.",
    source: "decision",
  },
  "attachments.output.once": {
    states: "The files of a result are written with the end of the run: a crash neither loses nor doubles one.",
    source: "goal",
  },
  "attachments.output.store-away": {
    states: "When the store stays away, the result is kept without its files, and the log says so.",
    source: "goal",
  },
  "attachments.payload": {
    states: "For a delivery there are name, type, size, signed url and direction of the files of its attempt.",
    source: "contract",
  },
  "attachments.forks": { states: "A fork of a run has copies of the files that the run was given.", source: "goal" },
  "attachments.ag-ui": {
    states: "Files that a standard AG-UI client sends inline with a message are attached to its task; others are 400.",
    source: "goal",
  },
  "attachments.removed": {
    states: "Files go with their task, contents and all, and cannot be deleted while it is in progress.",
    source: "goal",
  },
  "attachments.missing": {
    states: "A run whose file cannot be read fails with FILE_UNAVAILABLE and the file's name.",
    source: "goal",
  },
} as const satisfies Requirements<"attachments">;
