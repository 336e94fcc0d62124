import type { ReactNode } from 'react';
import { openings } from '../../lib/openings.ts';
import { classNames } from '../../ui/class-names.ts';

const { '/dashboard': dashboard, '/search': search } = openings;

/**
 * The first elements of some screens, in their final positions. They are in the document of all screens and painted
 * before scripts load.
 */
export function Openings() {
  return (
    <>
      <Opening path="/dashboard">
        <div className="page py-8 sm:py-10">
          <h1 className="heading-page">{dashboard.title}</h1>
          <p className="mt-1 text-soft">{dashboard.text}</p>
        </div>
      </Opening>
      <Opening path="/search">
        <div className="page flex flex-col gap-4 py-8">
          <h1 className="sr-only">Search</h1>
          <div className="h-12 rounded-lg border border-line-field bg-surface shadow-sm" />
          <div className="h-8" />
          <div className="flex flex-col items-center rounded-xl border border-line-strong border-dashed px-6 py-12 text-center">
            <div className="mb-4 size-11" />
            <h2 className="heading-part">{search.title}</h2>
            <div className="mt-1 max-w-md text-balance text-soft">{search.text}</div>
          </div>
        </div>
      </Opening>
    </>
  );
}

/** The classes that show an opening only if the document is marked with its screen, which it is for signed-in users. */
const shown: Record<keyof typeof openings, string> = {
  '/dashboard': "not-in-data-[screen='/dashboard']:hidden!",
  '/search': "not-in-data-[screen='/search']:hidden!",
};

function Opening({ path, children }: { path: keyof typeof openings; children: ReactNode }) {
  return (
    <div className={classNames(shown[path], 'flex flex-1 flex-col')}>
      <div className="frame flex flex-1 flex-col px-0! lg:grid lg:grid-cols-[13.5rem_minmax(0,1fr)]">
        <div className="border-line max-lg:h-26.75 max-lg:border-b lg:border-r" />
        {children}
      </div>
    </div>
  );
}
