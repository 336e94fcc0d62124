import { BlogScreen } from '../features/blog/blog-screen.tsx';
import { PublicPageHead } from '../lib/public-page-head.tsx';

export default function Blog() {
  return (
    <>
      <PublicPageHead path="/blog" />
      <BlogScreen />
    </>
  );
}
