/** Classes of a popover in the top layer (`useSheet`); independent of where it is in the document. */
export const popupClasses =
  'inset-auto m-0 whitespace-normal rounded-lg border border-line-strong bg-raised p-1 text-left font-normal text-ink text-sm shadow-lg outline-none transition-[opacity,scale] duration-100 starting:scale-98 starting:opacity-0';

export const popupItemClasses =
  'flex min-h-8 w-full cursor-default select-none items-center gap-2.5 rounded-sm px-2.5 py-1 text-left text-sm outline-none hover:bg-hover focus-visible:bg-hover';
