/** The look of menus and lists that open over the page. */
export const popupLook = 'rounded-lg border border-line-strong bg-raised p-1 text-ink shadow-lg outline-none';

/** A sheet of the top layer (`useSheet`): nothing of where it stands in the page shows in it. */
export const popupClasses = `inset-auto m-0 whitespace-normal text-left font-normal text-sm transition-[opacity,scale] duration-100 starting:scale-98 starting:opacity-0 ${popupLook}`;

/** One line of such a sheet. */
export const popupItemClasses =
  'flex min-h-8 w-full cursor-default select-none items-center gap-2.5 rounded-sm px-2.5 py-1 text-left text-sm outline-none hover:bg-hover focus-visible:bg-hover';
