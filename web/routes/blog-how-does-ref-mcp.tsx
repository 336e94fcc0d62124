import { Link } from 'react-router';
import * as limits from '#contract/limits.ts';
import { speed } from '../features/blog/figures.ts';
import { PostFrame } from '../features/blog/post-frame.tsx';
import { Sample } from '../features/blog/sample.tsx';
import bench from '../features/blog/samples/bench.sh?highlighted';
import call from '../features/blog/samples/call.jsonc?highlighted';
import surface from '../lib/agent-surface.json';
import { publicPage } from '../lib/public-page-head.tsx';
import { formatCount, formatMs, formatRate } from '../ui/quantities.ts';

const [search, read] = surface.tools;
const [publicPrompt, privatePrompt] = surface.prompts;

/** The article on how the product uses the Model Context Protocol, and what each message costs an agent. */
function HowDoesMcp() {
  return (
    // Called instead of rendered, because the frame counts the words of its children.
    <PostFrame path="/blog/how-does-ref-mcp">
      {aboutTools()}
      {aboutPrompts()}
      {aboutMemory()}
      {aboutReads()}
      {aboutAccess()}
      {aboutSpeed()}
    </PostFrame>
  );
}

export default publicPage('/blog/how-does-ref-mcp', HowDoesMcp);

function aboutTools() {
  return (
    <>
      <p>
        A server of the Model Context Protocol can offer an agent many things, and the agent pays for each before it
        uses it: all tool definitions stay in the context from the first message to the last. So we measured what each
        part costs and what it saves.
      </p>

      <h2>Two tools</h2>
      <p>
        <code>{search?.name}</code> takes a question and returns passages with their addresses.{' '}
        <code>{read?.name}</code> takes the address of any page, indexed or not, and returns the page. Their definitions
        have {search?.tokens} and {read?.tokens} tokens, {surface.toolsTokens} when sent together, and the instructions
        have {surface.instructions.tokens}. A test fails above 350 and 150. Only the first argument is required, and
        most calls need no other.
      </p>
      <Sample of={call} title="A call" />
      <p>
        The response is text, not JSON: escaped code costs tokens and is hard to read. Lines that begin with{' '}
        <code>§</code> come from the server: an address or a note. Everything else is quoted documentation. We remove
        that mark from indexed pages, so no page can pose as the server. Deep-research clients require tools named{' '}
        <code>search</code> and <code>fetch</code> with JSON responses, and get those.
      </p>
    </>
  );
}

function aboutPrompts() {
  return (
    <>
      <h2>Two prompts</h2>
      <p>
        Prompts are for people: they appear in the client’s menu. <code>{publicPrompt?.name}</code> makes the agent
        search public documentation, <code>{privatePrompt?.name}</code> the private sources of you or your team. They
        cost {publicPrompt?.tokens} and {privatePrompt?.tokens} tokens where a client lists them.
      </p>
    </>
  );
}

function aboutMemory() {
  return (
    <>
      <h2>A session that remembers</h2>
      <p>
        Agents search in bursts: the same question in other words, then a narrower one. On its own, each search would
        send the best passage again. Ours doesn’t: <strong>a conversation never receives the same passage twice</strong>
        . The second search returns the next best passages, and one line lists the addresses of the earlier ones.
      </p>
      <ul>
        <li>Where the transport has sessions, the session is the conversation.</li>
        <li>
          The newest protocol revision has no sessions, so the response contains a handle that the client can pass back
          with its next call.
        </li>
        <li>
          Without either, the same key and client within {limits.agentMemoryMinutes} minutes count as the same
          conversation.
        </li>
      </ul>
      <p>
        The memory is stored in the database: it survives a restart, all processes share it, and it is deleted{' '}
        {limits.agentSessionDays} days after the last call. An agent that wants a passage again reads its address. A
        search that finds nothing new costs no credit.
      </p>
    </>
  );
}

function aboutReads() {
  return (
    <>
      <h2>Reading what was found</h2>
      <p>
        After a search, an agent often reads one of the pages. Those pages are already in the index, split into passages
        with their tokens counted, so a read fetches nothing. A page that isn’t indexed is fetched once, through a
        client that refuses private addresses, and cached for ten minutes.
      </p>

      <h2>Long pages</h2>
      <p>
        A page of up to {formatCount(limits.readTokensDefault)} tokens is returned whole. A longer one is reduced to its
        start and the sections most similar to the conversation’s searches, each of them whole. With an anchor, that
        section is returned whole with little else. A line lists the best sections left out, with their size, so that
        the agent can request one by its anchor. No response has more than {formatCount(limits.budgetTokensMax)} tokens.
      </p>
    </>
  );
}

function aboutAccess() {
  return (
    <>
      <h2>Errors are answers</h2>
      <p>
        An error that the agent can fix is a result it can read: for an unknown source, the nearest names; without
        credits, the day they renew. All other errors are protocol errors, each with its own page in the documentation.
      </p>

      <h2>Without a key</h2>
      <p>
        A client that supports OAuth needs only the address. It registers and opens your browser, where you choose which
        workspace it searches. You can revoke access in your account; it ends with the next call.
      </p>
    </>
  );
}

function aboutSpeed() {
  return (
    <>
      <h2>How fast it is</h2>
      <table>
        <thead>
          <tr>
            <th>Measured over MCP, a fresh session for each query</th>
            <th>Median of {speed.rounds} rounds or calls</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>A search, one caller: median</td>
            <td>{formatMs(speed.searchMsP50)}</td>
          </tr>
          <tr>
            <td>A search, one caller: 95th percentile</td>
            <td>{formatMs(speed.searchMsP95)}</td>
          </tr>
          <tr>
            <td>Searches per second with 16 callers at once</td>
            <td>{formatRate(speed.searchesPerSecond)}</td>
          </tr>
          <tr>
            <td>Pages indexed per second, parsing included</td>
            <td>{formatRate(speed.pagesPerSecond)}</td>
          </tr>
          <tr>
            <td>From a fetched change to a search that finds it</td>
            <td>{formatMs(speed.fetchedToVisibleMs)}</td>
          </tr>
          <tr>
            <td>From a cold start to the first answer</td>
            <td>{formatMs(speed.coldStartMs)}</td>
          </tr>
        </tbody>
      </table>
      <p>
        The documentation of {speed.corpora.join(', ')}, on two cores ({speed.machine}), on {speed.measuredOn}; server
        and client share the machine. The figures are read from <code>bench/last.json</code> when this page is built.
      </p>
      <Sample of={bench} title="Terminal" />
      <p>
        For the quality of the results, see <Link to="/blog/how-make-search-good">how we make search good</Link>. To
        connect an agent, see <Link to="/mcp">MCP</Link>.
      </p>
    </>
  );
}
