import { use } from "react";
import type { ComponentProps } from "react";
import { DraftContext } from "../forms/draft-context.ts";

/** One of several choices; the label is around it. */
export function Radio(props: ComponentProps<"input"> & { readonly name: string; readonly value: string }) {
  const [typed] = use(DraftContext)?.valuesOf(props.name) ?? [];
  return <input type="radio" {...props} {...(typed !== undefined && { defaultChecked: typed === props.value })} />;
}
