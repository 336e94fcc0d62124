import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import type { JobRun, LibraryModule } from '#contract/library.ts';
import { useAddressFilters, useFilterWords } from '../../kit/address-filters.ts';
import { inputClasses } from '../../ui/input-classes.ts';
import { formatCount } from '../../ui/quantities.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { LeftOutPages } from './left-out-pages.tsx';
import { ServedPages } from './served-pages.tsx';

type Shown = 'served' | 'left-out';

/** Every page that a source serves, and what its last run left out. */
export function PageList({ module, lastEnded }: { module: LibraryModule; lastEnded: JobRun | undefined }) {
  const [params, change] = useAddressFilters();
  const words = params.get('filter') ?? '';
  const [typed, setTyped] = useFilterWords(words, (filter) => change({ filter }));
  const clear = () => setTyped('');
  const leftOut = lastEnded === undefined ? 0 : lastEnded.skipped + lastEnded.failed;
  const tabs: { name: Shown; label: string; panel: ReactNode }[] = [
    {
      name: 'served',
      label: `Served ${formatCount(module.pageCount)}`,
      panel: <ServedPages module={module} words={words} onClear={clear} />,
    },
    ...(lastEnded === undefined || leftOut === 0
      ? []
      : [
          {
            name: 'left-out' as const,
            label: `Left out ${formatCount(leftOut)}`,
            panel: <LeftOutPages jobId={lastEnded.id} words={words} onClear={clear} />,
          },
        ]),
  ];
  return (
    <section aria-labelledby="pages-of-source">
      <h2 id="pages-of-source" className="heading-part mb-2.5">
        Pages
      </h2>
      <Tabs
        label="Pages"
        look="pill"
        value={tabs.find(({ name }) => name === params.get('pages'))?.name ?? 'served'}
        onChange={(pages) => change({ pages: pages === 'served' ? '' : pages })}
        panelClassName="mt-3"
        tabs={tabs}
        aside={
          <div role="search" aria-label="Filter pages" className="relative w-full sm:w-72">
            <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-faint" />
            <input
              type="search"
              aria-label="Filter pages by title or address"
              placeholder="Title or address"
              autoComplete="off"
              spellCheck={false}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              onKeyDown={(event) => event.key === 'Escape' && typed !== '' && clear()}
              className={`${inputClasses} h-8! pl-8.5! text-sm!`}
            />
          </div>
        }
      />
    </section>
  );
}
