/** The mark: three who work together. */
export function Logo({ className = "" }: { readonly className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className={`size-6 shrink-0 ${className}`}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <circle cx="10" cy="11" r="3" className="fill-on-accent" />
      <circle cx="22" cy="11" r="3" className="fill-on-accent" />
      <circle cx="16" cy="21" r="3" className="fill-on-accent" />
    </svg>
  );
}
