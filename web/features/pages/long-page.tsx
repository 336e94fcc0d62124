import type { ReactNode } from 'react';

export interface PageSection {
  id: string;
  title: string;
  body: ReactNode;
}

interface LongPageProps {
  /** What kind of page it is, above the title. */
  kicker: string;
  title: string;
  lead: ReactNode;
  sections: PageSection[];
}

/** A page of text in sections, with a list of them beside it where there is room. */
export function LongPage({ kicker, title, lead, sections }: LongPageProps) {
  return (
    <div className="page py-14 md:py-20">
      <header className="max-w-[46rem]">
        <p className="font-medium text-lamp text-sm">{kicker}</p>
        <h1 className="mt-3 font-display text-4xl text-ink tracking-[-0.022em]">{title}</h1>
        <p className="mt-4 text-pretty text-lg text-soft">{lead}</p>
      </header>
      <div className="mt-12 grid gap-x-16 border-line border-t pt-10 lg:grid-cols-[13rem_minmax(0,1fr)]">
        <nav aria-label="On this page" className="mb-10 lg:sticky lg:top-24 lg:mb-0 lg:self-start">
          <ul className="flex flex-wrap gap-x-5 gap-y-1 lg:flex-col">
            {sections.map((section) => (
              <li key={section.id}>
                <a
                  href={`#${section.id}`}
                  className="inline-flex min-h-7 items-center rounded-xs text-base text-faint hover:text-ink hover:underline"
                >
                  {section.title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="flex min-w-0 max-w-[46rem] flex-col gap-14">
          {sections.map((section) => (
            <section key={section.id} aria-labelledby={section.id}>
              <h2
                id={section.id}
                className="scroll-mt-6 font-display font-medium text-2xl text-ink tracking-[-0.014em]"
              >
                {section.title}
              </h2>
              <div className="prose prose-reading mt-4">{section.body}</div>
            </section>
          ))}
        </div>
      </div>
    </div>
  );
}
