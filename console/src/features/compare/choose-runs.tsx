import { Field } from "../../ui/field.tsx";
import { RunPicker } from "../pickers/run-picker.tsx";
import { readRef } from "../records/comparison-search.ts";
import type { CompareSearch } from "../records/comparison-search.ts";
import { usePageNavigate } from "../../lib/use-page-navigate.ts";

/** Where one of the two runs of a comparison is missing. */
export function ChooseRuns({ search }: { readonly search: CompareSearch }) {
  const navigate = usePageNavigate({ from: "/w/$workspace/runs/compare" });
  const choose = (change: Pick<CompareSearch, "a" | "b">) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  return (
    <section className="mx-auto flex w-full max-w-[35rem] flex-col gap-4 px-page py-12">
      <div>
        <h2 className="text-h2 font-semibold">Choose two runs</h2>
        <p className="mt-1 text-ink-2">
          Find each by its title or id. In the list of runs, you can select both instead.
        </p>
      </div>
      <Field label="Run A">
        <RunPicker label="Run A" id={readRef(search.a)?.id} onChange={(a) => choose({ a })} />
      </Field>
      <Field label="Run B">
        <RunPicker label="Run B" id={readRef(search.b)?.id} onChange={(b) => choose({ b })} />
      </Field>
    </section>
  );
}
