import { AnswerCode, SampleAnswer } from '../features/pages/sample-answer.tsx';
import { UseCasePage } from '../features/pages/use-case-page.tsx';
import { commands } from '../lib/commands.ts';
import { publicPage } from '../lib/public-page-head.tsx';
import { formatCount } from '../ui/quantities.ts';

/** Measured on sqlite.org/fts5.html as shipped with Debian 12, in o200k tokens. */
const measured = { pageTokens: 30_357, passageTokens: 379 };

const code = `SELECT * FROM email WHERE email MATCH ?
  ORDER BY bm25(email, 10.0, 5.0);`;

function TurbopufferScreen() {
  return (
    <UseCasePage
      vendor="turbopuffer"
      title="Query syntax, filters and limits, in the words of the manual"
      lead="turbopuffer is a database for vector and full-text search. Code that uses it depends on details: an operator's name, an attribute's type, a limit. An agent that remembers them from training writes last year's; one that searches the documentation writes today's."
      points={[
        {
          title: 'Exact words first',
          text: 'Operators, parameters and field names match literally and by their parts, split at camel case, underscores and dots.',
        },
        {
          title: 'One passage, with its code',
          text: 'A passage is a part of a section with its example. Code is never cut in two, and a long table keeps its header.',
        },
        {
          title: 'As current as the site',
          text: 'A refresh fetches only changed pages. They are searchable before the run ends.',
        },
      ]}
      steps={[
        {
          title: 'Start it',
          text: 'One process with its data in one folder. It prints its address and a sign-in link.',
          command: commands.start,
          label: 'Command that starts the server',
        },
        {
          title: 'Index the documentation',
          text: 'Everything under this address. The crawl follows llms.txt, the sitemap and links, obeys robots.txt, and uses Markdown if the site offers it.',
          command: './lectern index https://turbopuffer.com/docs',
          label: 'Command that indexes the site',
        },
        {
          title: 'Try a question',
          text: 'The same result that an agent gets, within your token budget.',
          command: './lectern search "filter on an attribute in a query" --budget 600',
          label: 'Command that searches',
        },
        {
          title: 'Connect an agent',
          text: 'A key for the agent. See the connection page for its configuration.',
          command: './lectern key create my-agent',
          label: 'Command that creates a key',
        },
      ]}
      answer={
        <SampleAnswer
          question="bm25 rank with column weights"
          path={['SQLite FTS5 Extension', 'Built-in auxiliary functions', 'The bm25() function']}
          measured={
            <>
              This passage: <strong className="tabular text-ink">{measured.passageTokens} tokens</strong>. Its page:{' '}
              <span className="tabular">{formatCount(measured.pageTokens)}</span>.
            </>
          }
          caption="A real result, shortened, from the manual of SQLite's full-text search, which is similar and in the public domain. Counted with the o200k tokenizer."
        >
          <p>
            By passing extra real value arguments to the bm25() SQL function, each column of the table may be assigned a
            different weight … The first argument passed to bm25() following the table name is the weight assigned to
            the leftmost column of the FTS5 table.
          </p>
          <AnswerCode code={code} label="Code of the passage" />
        </SampleAnswer>
      }
    />
  );
}

export default publicPage('/use-case/turbopuffer', TurbopufferScreen);
