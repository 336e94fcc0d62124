import './blog.css';
import { ArrowLeft } from 'lucide-react';
import { Children, isValidElement, type ReactNode } from 'react';
import { Link } from 'react-router';
import { publicPageAt, publicPages } from '../../lib/public-pages.ts';

/** Reading speed for technical text. */
const wordsPerMinute = 200;
const posts = publicPages.filter(({ kind }) => kind === 'post');

/** A post with header and footer; title and dates come from the list of public pages. */
export function PostFrame({ path, children }: { path: string; children: ReactNode }) {
  const { title, description, publishedOn, updatedOn } = publicPageAt(path);
  const others = posts.filter((post) => post.path !== path);
  return (
    <article className="mx-auto w-full max-w-[46rem] px-5 py-10 md:py-16">
      <header className="mb-10">
        <BackToBlog />
        <h1 className="mt-6 font-display text-4xl text-ink tracking-[-0.026em] md:text-[3.25rem] md:leading-[1.06]">
          {title}
        </h1>
        <p className="mt-4 text-pretty text-lg text-soft">{description}</p>
        <p className="mt-5 text-faint text-sm">
          <Day of={publishedOn} />
          {updatedOn !== publishedOn && (
            <>
              , changed <Day of={updatedOn} />
            </>
          )}
          {' · '}
          {minutesToRead(children)} min to read
        </p>
      </header>
      <div className="post">{children}</div>
      <footer className="mt-16 flex flex-col gap-6 border-line border-t pt-6">
        {others.length > 0 && (
          <div>
            <h2 className="mb-2 text-faint text-sm">Also on the blog</h2>
            <ul className="flex flex-col gap-1.5">
              {others.map((post) => (
                <li key={post.path}>
                  <Link
                    to={post.path}
                    className="rounded-xs text-ink text-md underline decoration-lamp-line underline-offset-3 hover:decoration-lamp"
                  >
                    {post.title}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        )}
        <BackToBlog />
      </footer>
    </article>
  );
}

function BackToBlog() {
  return (
    <Link
      to="/blog"
      className="group inline-flex min-h-6 items-center gap-1.5 rounded-xs font-medium text-lamp text-sm"
    >
      <ArrowLeft aria-hidden className="size-3.5 transition-transform group-hover:-translate-x-0.5" />
      Blog
    </Link>
  );
}

const longDay = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

/** Formats a day of the list of public pages, such as '22 November 2026'. */
export function Day({ of }: { of: string }) {
  return <time dateTime={of}>{longDay.format(new Date(of))}</time>;
}

/** Returns the reading time by the number of words; at least one minute. */
function minutesToRead(children: ReactNode): number {
  return Math.max(1, Math.round(wordsIn(children) / wordsPerMinute));
}

function wordsIn(children: ReactNode): number {
  return Children.toArray(children).reduce<number>((sum, child) => {
    if (typeof child === 'string') return sum + child.split(/\s+/).filter((word) => word !== '').length;
    if (typeof child === 'number') return sum + 1;
    return isValidElement<{ children?: ReactNode }>(child) ? sum + wordsIn(child.props.children) : sum;
  }, 0);
}
