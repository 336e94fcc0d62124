import '../features/blog/blog.css';
import { Link } from 'react-router';
import { Day } from '../features/blog/post-frame.tsx';
import { publicPage } from '../lib/public-page-head.tsx';
import { publicPages } from '../lib/public-pages.ts';
import { useProductName } from '../lib/session.ts';

const posts = publicPages
  .filter(({ kind }) => kind === 'post')
  .toSorted((a, b) => b.publishedOn.localeCompare(a.publishedOn));

/** All posts, newest first. */
function BlogScreen() {
  const productName = useProductName();
  return (
    <div className="mx-auto w-full max-w-[46rem] px-5 py-12 md:py-20">
      <h1 className="font-display text-4xl text-ink tracking-[-0.028em] md:text-6xl">Blog</h1>
      <p className="mt-4 text-lg text-soft">
        How {productName} is built and measured, with the figures and the commands.
      </p>
      <ul className="mt-10 flex flex-col">
        {posts.map(({ path, title, description, publishedOn }) => (
          <li key={path} className="border-line border-t py-7 last:border-b">
            <p className="text-faint text-sm">
              <Day of={publishedOn} />
            </p>
            <h2 className="mt-1.5 font-display text-2xl text-ink tracking-tight">
              <Link
                to={path}
                className="rounded-xs decoration-1 decoration-lamp-line underline-offset-4 hover:underline"
              >
                {title}
              </Link>
            </h2>
            <p className="mt-2 text-pretty text-md text-soft">{description}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}

export default publicPage('/blog', BlogScreen);
