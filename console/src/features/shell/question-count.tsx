/** How many questions are open, beside their screen's name. */
export function QuestionCount({ count, className }: { readonly count: string; readonly className: string }) {
  return (
    <span className={`rounded-full bg-waiting-soft text-center font-semibold text-waiting ${className}`}>
      {count}
      <span className="sr-only"> open</span>
    </span>
  );
}
