import { useQuery } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';
import { siteOptions } from '../../lib/site.ts';
import { BrandMark } from '../../ui/brand-mark.tsx';
import { Notice } from '../../ui/notice.tsx';

interface DoorProps {
  title: string;
  /** A line below the title. */
  lead?: ReactNode;
  children: ReactNode;
}

/** Frame of the sign-in and sign-up screens. */
export function Door({ title, lead, children }: DoorProps) {
  return (
    <div className="page flex flex-1 flex-col items-center justify-center py-12 md:py-16">
      <div className="w-full max-w-[25rem]">
        <BrandMark className="mb-5 size-9" />
        <h1 className="heading-page">{title}</h1>
        {lead !== undefined && <p className="mt-1.5 text-md text-soft">{lead}</p>}
        <div className="mt-6 flex flex-col gap-5 text-md text-soft">{children}</div>
      </div>
    </div>
  );
}

/** Link to the related screen, below a form. */
export function DoorFoot({ children }: { children: ReactNode }) {
  return <p className="border-line border-t pt-5 text-base text-soft">{children}</p>;
}

/** Says who has a link where this installation doesn't send email. `purpose` completes "the link": "that verifies your email". */
export function OutboxNote({ purpose }: { purpose: string }) {
  if (useQuery(siteOptions).data?.mailIsOutbox !== true) return null;
  return <Notice tone="info">This installation doesn't send email. Ask its operator for the link {purpose}.</Notice>;
}

/** An error message above the button that tries again, announced immediately. */
export function DoorFault({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="rounded-md border border-danger-line bg-danger-ground px-3 py-2 text-ink text-sm">
      {children}
    </p>
  );
}

/** Classes of links on these screens. */
export const doorLinkClasses = 'rounded-xs font-medium text-lamp underline-offset-3 hover:underline';

/** A link on these screens. */
export function DoorLink(props: Pick<ComponentProps<typeof Link>, 'to' | 'replace' | 'children'>) {
  return <Link {...props} className={doorLinkClasses} />;
}
