import type { Requirements } from "./requirement.ts";

/** Knowledge bases: what is put into them, how it is read, and how it is found again. */
export const knowledge = {
  "knowledge.bases.resource": {
    states: "/console/api/knowledge/bases lists, reads, creates, changes and deletes knowledge bases.",
    source: "goal",
  },
  "knowledge.bases.kept-while-named": {
    states: "A knowledge base that agents reference cannot be deleted: 409.",
    source: "goal",
  },
  "knowledge.documents.formats": {
    states:
      "Text, Markdown, HTML, CSV, JSON, PDF and Word documents are accepted, as files or as JSON text, and found.",
    source: "goal",
  },
  "knowledge.documents.warning": {
    states:
      "A document that could not be read in full is ready with a warning that names the page or row and the reason.",
    source: "goal",
  },
  "knowledge.documents.status": {
    states:
      "A document is pending, processing, ready or failed; it shows its progress, its number of passages, and the reason of a failure.",
    source: "goal",
  },
  "knowledge.documents.reprocess": {
    states: "A document can be processed again from its original; the new passages replace the old ones.",
    source: "goal",
  },
  "knowledge.documents.delete": {
    states:
      "Deleting a document deletes its passages, vectors and original; deleting a base deletes all of its documents.",
    source: "goal",
  },
  "knowledge.documents.locks-ordered": {
    states: "An ingest and the deletion of its document take their locks in one order, so they cause no deadlock.",
    source: "goal",
  },
  "knowledge.documents.tags": {
    states: "Documents have a name and tags that can be changed, and a search can be restricted to tags.",
    source: "goal",
  },
  "knowledge.documents.bad-input": {
    states:
      "An unreadable document (broken, encrypted, mistyped, too large or empty) ends in the status failed with a reason; the service continues.",
    source: "goal",
  },
  "knowledge.documents.refusals": {
    states:
      "A form without a file, an unknown base, unknown fields and unsupported types are 400; the error names the field. A file over the limit is 413.",
    source: "goal",
  },
  "knowledge.search.words": {
    states: "Without any key, passages are found by keywords, best first, each with its source and a score.",
    source: "goal",
  },
  "knowledge.search.hybrid": {
    states:
      "With a key for OpenAI or Google, or a configured model of a compatible endpoint, passages are also found by meaning, by reciprocal-rank fusion.",
    source: "goal",
  },
  "knowledge.search.pgvector": {
    states:
      "With pgvector 0.7 or newer on the server, searches by meaning use it; otherwise they find the nearest passages in plain SQL.",
    source: "goal",
  },
  "knowledge.search.large": {
    states: "A keyword search examines a limited amount of data, for any size of the base and any keywords.",
    source: "goal",
  },
  "knowledge.search.without-provider": {
    states:
      "When the embedding provider is unavailable, documents are ready with a warning and a search uses keywords.",
    source: "goal",
  },
  "knowledge.search.recall": {
    states: "On our own set of questions the right passage is among the first five, by keywords and hybrid.",
    source: "goal",
  },
  "knowledge.search.tenancy": {
    states: "No workspace finds, reads or changes another's knowledge, through the API or the database.",
    source: "goal",
  },
  "knowledge.tool.outage": {
    states: "A search that an agent makes while the database is unavailable is repeated; the model sees no such error.",
    source: "goal",
  },
  "knowledge.tool.search": {
    states: "The tool knowledge_search returns passages of the agent's allowed bases only.",
    source: "contract",
  },
  "knowledge.ingest.crash": {
    states:
      "After a process is killed during an ingest, another one continues it: no passage is doubled, and no stored vector is paid for again.",
    source: "goal",
  },
  "knowledge.ingest.handed-over": {
    states: "When a process stops, another continues its ingest; the document never fails because of repeated stops.",
    source: "goal",
  },
  "knowledge.ingest.two-processes": {
    states: "Two processes share the queued documents; each document is processed once.",
    source: "goal",
  },
  "knowledge.cli": {
    states: "muster knowledge add, list, search, reprocess and delete do the same as the console API.",
    source: "goal",
  },
  "knowledge.ingest.fair": {
    states: "One workspace uses at most all but one of a process's ingest slots.",
    source: "decision",
  },
} as const satisfies Requirements<"knowledge">;
