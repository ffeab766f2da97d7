/** In a form: that the record was changed by another person, or a program, since the form was opened. */
export function StaleNotice() {
  return (
    <p role="status" className="rounded-control bg-waiting-soft px-3 py-2 text-waiting">
      Changed elsewhere since you opened this form. Saving changes only the fields that you have edited.
    </p>
  );
}
