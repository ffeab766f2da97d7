import { useState } from "react";
import type { Prompt } from "#domain/tasks/interaction.ts";
import { Field } from "../../ui/field.tsx";
import { Textarea } from "../../ui/fields.tsx";
import { ChoiceList } from "./choice.tsx";
import { DataEditor } from "./data-editor.tsx";
import { FormValues } from "./fields.tsx";

/** An answer as the API takes it: `{ approved: true }`, `{ text: "…" }`, … */
export type AnswerFields = Readonly<Record<string, unknown>>;

/** A question without its title, and the answer that is being written. */
export interface AnswerValueProps {
  readonly prompt: Prompt;
  /** The answer so far; undefined before there is one. */
  readonly answer: AnswerFields | undefined;
  readonly onChange: (answer: AnswerFields) => void;
  /** The name of the draft of the answer. */
  readonly draftName: string;
  /** The server's issue with a field of the answer, by its path. */
  readonly errorOf: (path: string) => string | undefined;
}

/** The fields of an answer of any kind, filled with the one that was given. */
export function AnswerValue({ prompt, answer, onChange, draftName, errorOf }: AnswerValueProps) {
  switch (prompt.type) {
    case "approval":
      return <Decision answer={answer} yes="Approve" onDecide={(approved) => onChange({ approved })} />;
    case "confirm_data":
      return <Confirmation {...{ answer, onChange, draftName }} data={prompt.data} />;
    case "choice": {
      const chosen = answer?.["selectedOptionId"];
      return (
        <ChoiceList
          choices={prompt.choices}
          chosen={typeof chosen === "string" ? chosen : undefined}
          onChoose={(selectedOptionId) => onChange({ selectedOptionId })}
          error={errorOf("selectedOptionId")}
        />
      );
    }
    case "text_input": {
      const text = answer?.["text"];
      return (
        <Field label="Answer" error={errorOf("text")}>
          <Textarea
            value={typeof text === "string" ? text : ""}
            placeholder={prompt.placeholder}
            onChange={({ target }) => onChange({ text: target.value })}
          />
        </Field>
      );
    }
    case "form":
      return (
        <FormValues
          fields={prompt.fields}
          initial={recordIn(answer, "values")}
          onChange={(values) => onChange({ values })}
          errorOf={errorOf}
        />
      );
  }
}

function Decision({
  answer,
  yes,
  onDecide,
}: {
  readonly answer: AnswerFields | undefined;
  readonly yes: string;
  readonly onDecide: (approved: boolean) => void;
}) {
  const approved = answer?.["approved"];
  return (
    <ChoiceList
      legend="Decision"
      choices={[
        { id: "yes", label: yes },
        { id: "no", label: "Reject" },
      ]}
      chosen={typeof approved === "boolean" ? (approved ? "yes" : "no") : undefined}
      onChoose={(id) => onDecide(id === "yes")}
    />
  );
}

function Confirmation({
  data,
  answer,
  onChange,
  draftName,
}: Pick<AnswerValueProps, "answer" | "onChange" | "draftName"> & { readonly data: Readonly<Record<string, unknown>> }) {
  const [values, setValues] = useState<Record<string, unknown>>({ ...data, ...recordIn(answer, "data") });
  const approved = answer?.["approved"] !== false;
  function change(key: string, value: unknown): void {
    const next = { ...values, [key]: value };
    setValues(next);
    onChange({ approved, data: next });
  }
  return (
    <>
      <DataEditor original={data} values={values} onChange={change} draftName={draftName} />
      <Decision answer={answer} yes="Confirm" onDecide={(decision) => onChange({ approved: decision, data: values })} />
    </>
  );
}

function recordIn(answer: AnswerFields | undefined, name: string): AnswerFields | undefined {
  const value = answer?.[name];
  return isRecord(value) ? value : undefined;
}

function isRecord(value: unknown): value is AnswerFields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
