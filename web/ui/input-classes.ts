export const inputClasses =
  'h-9 w-full min-w-0 rounded-md border border-line-field bg-surface px-3 text-base text-ink shadow-sm placeholder:text-faint ' +
  'hover:border-faint focus-visible:border-lamp focus-visible:outline-2 focus-visible:-outline-offset-1 focus-visible:outline-lamp ' +
  'aria-invalid:border-danger';
