import { z } from "zod";

/** The used part of an annotation as pdf.js returns it (https://github.com/mozilla/pdf.js, core/annotation.js). */
const annotation = z.object({
  subtype: z.string(),
  fieldName: z.string().nullish(),
  /** What a form shows as the label of a field. */
  alternativeText: z.string().nullish(),
  fieldValue: z
    .union([z.string(), z.array(z.string())])
    .nullish()
    .catch(null),
  checkBox: z.boolean().nullish(),
  radioButton: z.boolean().nullish(),
  /** The value of a field whose box this one is, when the box is checked. */
  exportValue: z.string().nullish().catch(null),
  buttonValue: z.string().nullish().catch(null),
  contentsObj: z.object({ str: z.string() }).nullish(),
});

type Annotation = z.output<typeof annotation>;

/** The values of a page's form fields, with their labels, and texts that were typed onto it. */
export function formValues(annotations: readonly unknown[]): readonly string[] {
  return annotations.flatMap((given) => {
    const parsed = annotation.safeParse(given);
    return parsed.success ? textOf(parsed.data) : [];
  });
}

function textOf(field: Annotation): readonly string[] {
  if (field.subtype === "FreeText") return field.contentsObj?.str ? [field.contentsObj.str] : [];
  if (field.subtype !== "Widget") return [];
  const value = valueOf(field);
  const label = field.alternativeText || field.fieldName;
  return value === "" ? [] : [label ? `${label}: ${value}` : value];
}

function valueOf({ fieldValue, checkBox, radioButton, exportValue, buttonValue }: Annotation): string {
  const value = [fieldValue ?? []].flat().join(", ");
  if (checkBox === true) return value !== "" && value === exportValue ? "yes" : "no";
  // Every button of a group has the value of the group.
  if (radioButton === true) return value === buttonValue ? value : "";
  return value;
}
