import { Link } from 'react-router';
import * as limits from '#contract/limits.ts';
import { ColumnChart, TokensChart } from '../features/blog/charts.tsx';
import { percent, quality, speed, tokensPerQuestion } from '../features/blog/figures.ts';
import { PostFrame } from '../features/blog/post-frame.tsx';
import { Sample } from '../features/blog/sample.tsx';
import evaluate from '../features/blog/samples/evaluate.sh?highlighted';
import { publicPage } from '../lib/public-page-head.tsx';
import { formatCount, formatMs } from '../ui/quantities.ts';

/** The article on how search quality is evaluated, with the figures of the last committed run. */
function HowMakeSearchGood() {
  return (
    // Called instead of rendered, because the frame counts the words of its children.
    <PostFrame path="/blog/how-make-search-good">
      {aboutRecall()}
      {aboutTokens()}
      {aboutBudgets()}
      {aboutWeakness()}
      {howToRepeat()}
    </PostFrame>
  );
}

export default publicPage('/blog/how-make-search-good', HowMakeSearchGood);

function aboutRecall() {
  return (
    <>
      <p>
        A person who searches scans ten results and opens one. An agent reads everything it is given, pays for each
        token, and has less room left to think. So a search for agents is judged by two figures: did it find the answer,
        and how many tokens did that cost?
      </p>

      <h2>Recall, not precision</h2>
      <p>
        Precision asks how many of the results were right. For an agent that is the wrong question: one passage that
        holds the answer beside two that do not is a good result if the three are short, and a bad one if they are long.
        We count <strong>answers</strong> instead. A question counts as answered when a string that only the answer has,
        written down before, is in what the agent received: the search, then a read of the first result, then of the
        second. An agent does the same.
      </p>
      <p>
        There are {formatCount(quality.questions)} questions about {quality.packages} packages of documentation, from
        Django to PostgreSQL, that people really asked. Each is asked twice: as a person typed it, and as a coding agent
        writes it for the same need, with the library and its names.
      </p>
      <table>
        <thead>
          <tr>
            <th>The question</th>
            <th>Answered by the search alone</th>
            <th>With up to two reads</th>
            <th>Right page among the first five</th>
          </tr>
        </thead>
        <tbody>
          {quality.byForm.map(({ name, inSearch, onPath, pageAt5 }) => (
            <tr key={name}>
              <td>{name}</td>
              <td>{percent(inSearch)}</td>
              <td>{percent(onPath)}</td>
              <td>{percent(pageAt5)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function aboutTokens() {
  return (
    <>
      <h2>Tokens, against 10,000</h2>
      <p>
        Without a documentation search an agent fetches pages: it guesses an address, reads a page, follows a link,
        reads another. We take {formatCount(limits.baselineTokens)} tokens for such a lookup and measure against that.
        It is a convention, not a measurement: long reference pages alone go over it, short ones stay under.
      </p>
      <TokensChart
        title={`What ${formatCount(quality.questions)} questions cost`}
        steps={tokensPerQuestion}
        mean={Math.round(quality.tokensMean)}
      />
      <p>
        An agent’s question costs {formatCount(quality.tokensMean)} tokens on average, search and reads together:{' '}
        {formatCount(quality.savedMean)} fewer than the baseline, or{' '}
        {percent(quality.savedMean / limits.baselineTokens)}. The cheapest cost {formatCount(quality.tokensLeast)}, the
        most expensive {formatCount(quality.tokensMost)}. Unanswered questions count too, and they cost the most,
        because the agent makes all its reads.
      </p>
      <SearchFilm />
    </>
  );
}

function aboutBudgets() {
  return (
    <>
      <h2>What a larger budget buys</h2>
      <p>
        An agent may set a token budget. Here is the share of questions, as agents write them, that the search alone
        answers, without any read, by that budget:
      </p>
      <ColumnChart
        title="Answered by the search alone"
        axis="Token budget of the answer."
        most={1}
        columns={quality.byBudget.map(({ budget, answer }) => ({
          label: formatCount(budget),
          value: answer,
          said: percent(answer),
        }))}
      />
      <p>
        The default is {formatCount(limits.searchTokensDefault)}: one search that answers is cheaper than a smaller one
        and a read. With it, {percent(quality.inSearch)} need no second call.
      </p>
    </>
  );
}

function aboutWeakness() {
  return (
    <>
      <h2>Where it is weak</h2>
      <p>
        Not all questions are alike. Agents name the thing they ask about; people often share no word with the page that
        answers them.
      </p>
      <table>
        <thead>
          <tr>
            <th>Kind of question</th>
            <th>Questions</th>
            <th>Answered, as an agent writes it</th>
            <th>As a person types it</th>
          </tr>
        </thead>
        <tbody>
          {quality.byKind.map(({ kind, count, agent, cold }) => (
            <tr key={kind}>
              <td>{kind}</td>
              <td>{count}</td>
              <td>{percent(agent)}</td>
              <td>{percent(cold)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        By documentation set, the worst is {quality.worst.name}: {percent(quality.worst.onPath)} of{' '}
        {quality.worst.count}. No vectors are used; whether a model would help with these is a question to measure, not
        to assume.
      </p>
    </>
  );
}

function howToRepeat() {
  return (
    <>
      <h2>How a change is judged</h2>
      <p>
        Every change of the ranking is compared question by question, on documentation sets it was not fitted on. It
        stays only when the 95% interval of the differences excludes zero, or when it removes code or time without a
        loss. One question more or less is noise.
      </p>

      <h2>Repeat it</h2>
      <Sample of={evaluate} title="Terminal" />
      <p>
        The figures on this page were measured on {quality.measuredOn} ({quality.machine}) and are read from{' '}
        <code>eval/baseline.json</code> when the page is built, so they match the code you have. The questions go
        through a real MCP client, a fresh session each, without a filter. A search took {formatMs(quality.searchMsP50)}{' '}
        in the median and {formatMs(quality.searchMsP95)} at the 95th percentile, as that client sees it. Another
        command, last run on {speed.measuredOn}, measures indexing speed and 16 simultaneous callers: see{' '}
        <Link to="/blog/how-does-ref-mcp">how the product uses MCP</Link>.
      </p>
    </>
  );
}

/** A search on the home page, recorded by scripts/record-search-video.mjs. */
function SearchFilm() {
  return (
    <figure>
      <video
        controls
        preload="none"
        playsInline
        muted
        width="1120"
        height="700"
        poster="/film/search.webp"
        aria-label="A search on the home page"
        className="h-auto w-full rounded-xl border border-line"
      >
        <source src="/film/search.webm" type="video/webm" />
        <track kind="captions" src="/film/search.vtt" srcLang="en" label="English" default />
        <a href="/film/search.webm">The film, 22 seconds without sound</a>
      </video>
      <figcaption className="mt-2 text-faint text-sm leading-5">
        A search on the home page of an installation that has indexed 18 packages of documentation. 22 seconds, no
        sound, nothing cut.
      </figcaption>
    </figure>
  );
}
