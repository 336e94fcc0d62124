import text from '../content/test-document.md?raw';
import { PublicPageHead } from '../lib/public-page-head.tsx';
import { Markdown } from '../ui/markdown.tsx';

/** A test page with every construct of the viewer. */
export default function TestDocument() {
  return (
    <>
      <PublicPageHead path="/test_doc2" />
      <div className="page py-10 md:py-14">
        <article className="reading mx-auto max-w-3xl">
          <Markdown text={text} />
        </article>
      </div>
    </>
  );
}
