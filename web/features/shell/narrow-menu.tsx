import { Menu as MenuIcon, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

/**
 * What the header of a narrow screen has no room for, for visitors. It opens without scripts too; with them it shuts on
 * Escape, when focus leaves it, and on the next page.
 */
export function NarrowMenu({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const ref = useRef<HTMLDetailsElement>(null);
  const shown = useRef(pathname);
  const shut = () => ref.current?.removeAttribute('open');
  useEffect(() => {
    // It may have been opened before scripts ran: it stays so on the page that is there.
    if (shown.current === pathname) return;
    shown.current = pathname;
    shut();
  }, [pathname]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !ref.current?.open) return;
    shut();
    ref.current.querySelector('summary')?.focus();
  };
  return (
    <details
      ref={ref}
      onKeyDown={onKeyDown}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget !== null && !currentTarget.contains(relatedTarget)) shut();
      }}
      className="group md:hidden"
    >
      <summary
        aria-label="Menu"
        className="flex size-8 list-none items-center justify-center rounded-md text-soft hover:bg-hover hover:text-ink [&::-webkit-details-marker]:hidden"
      >
        <MenuIcon aria-hidden className="size-4 group-open:hidden" />
        <X aria-hidden className="hidden size-4 group-open:block" />
      </summary>
      <nav
        aria-label="More pages"
        className="absolute inset-x-0 top-14 border-line border-b bg-canvas px-5 py-2 shadow-lg"
      >
        {children}
      </nav>
    </details>
  );
}
