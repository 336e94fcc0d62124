/** The sheet of menus and lists that open over the page. */
export const popupClasses =
  'origin-[var(--transform-origin)] rounded-lg border border-line-strong bg-raised p-1 text-ink shadow-lg outline-none transition-[opacity,scale] duration-100 ' +
  'data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0';

/** One line of such a sheet. */
export const popupItemClasses =
  'flex min-h-8 cursor-default select-none items-center gap-2.5 rounded-sm px-2.5 py-1 text-sm outline-none data-highlighted:bg-hover';
