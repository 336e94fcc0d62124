import { Link } from 'react-router';
import { limits } from '#contract/limits.ts';
import surface from '../../lib/agent-surface.json';
import { formatCount, formatMs, formatRate } from '../../ui/quantities.ts';
import { speed } from './figures.ts';
import { PostFrame } from './post-frame.tsx';
import { Sample } from './sample.tsx';
import bench from './samples/bench.sh?highlighted';
import call from './samples/call.jsonc?highlighted';

const [search, read] = surface.tools;
const [publicPrompt, privatePrompt] = surface.prompts;

/** How the product uses the Model Context Protocol, and what each part costs an agent. */
export function HowDoesMcp() {
  return (
    // Called, not rendered: the frame counts the words of what it is given.
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

function aboutTools() {
  return (
    <>
      <p>
        A server of the Model Context Protocol can offer an agent many things, and each is paid for before it is used:
        the definitions of all tools stand in the context from the first message to the last. So we asked of every part
        what it costs and what it spares.
      </p>

      <h2>Two tools</h2>
      <p>
        <code>{search?.name}</code> takes a question and answers with passages and their addresses.{' '}
        <code>{read?.name}</code> takes an address, of an indexed page or any other, and answers with the page. Their
        definitions have {search?.tokens} and {read?.tokens} tokens, {surface.toolsTokens} as they are sent together,
        and the instructions beside them {surface.instructions.tokens}. A test refuses more than 350 and 150. Every
        argument beyond the first is optional, and most calls need one.
      </p>
      <Sample of={call} title="A call" />
      <p>
        The answer is text, not JSON: quotes and escapes of code cost tokens and are read badly. Each line that begins
        with <code>§</code> is the server’s, an address or a note; everything else is quoted documentation. The cleaning
        takes that mark out of what others wrote, so no page can pass for the server. Deep-research clients insist on
        tools named <code>search</code> and <code>fetch</code> with JSON answers, and get those.
      </p>
    </>
  );
}

function aboutPrompts() {
  return (
    <>
      <h2>Two prompts</h2>
      <p>
        Prompts are for people: they appear in the client’s menu. <code>{publicPrompt?.name}</code> has the agent look
        things up in public documentation, <code>{privatePrompt?.name}</code> in what you or your team have indexed
        privately. They cost {publicPrompt?.tokens} and {privatePrompt?.tokens} tokens where a client lists them.
      </p>
    </>
  );
}

function aboutMemory() {
  return (
    <>
      <h2>A session that remembers</h2>
      <p>
        Agents search in bursts: the same question in other words, then a narrower one. Ranked alone, each search would
        send the best passage again. Ours does not:{' '}
        <strong>what a conversation has received is not sent to it again</strong>. The second search shows what comes
        next, and one line names the addresses where the first passages were.
      </p>
      <ul>
        <li>Where the transport has sessions, the session is the conversation.</li>
        <li>
          The newest revision of the protocol has none, so the answer names a handle that the client may pass back with
          its next call.
        </li>
        <li>
          Without either, the same key and client within {limits.agentMemoryMinutes} minutes count as the same
          conversation.
        </li>
      </ul>
      <p>
        The memory is rows in the database: it survives a restart, is shared by all processes, and is gone{' '}
        {limits.agentSessionDays} days after the last call. An agent that wants something again reads its address;
        asking for it by name always repeats it. A search that brings nothing new costs no credit.
      </p>
    </>
  );
}

function aboutReads() {
  return (
    <>
      <h2>Reading what was found</h2>
      <p>
        After a search an agent often reads one of the pages. Those pages are in the index already, cut into passages
        with their tokens counted, so a read fetches nothing. A page that is not indexed is fetched once, through a
        client that refuses private addresses, and kept for ten minutes.
      </p>

      <h2>Long pages</h2>
      <p>
        A page of up to {formatCount(limits.readTokensMax)} tokens comes whole. A longer one is cut to its start and the
        parts most similar to the conversation&apos;s searches, each of them whole. With an anchor, the section comes
        whole and little else. A line names the best sections left out, with their size, so that the agent can ask for
        one by its anchor. No response has over {formatCount(limits.budgetTokensMax)} tokens.
      </p>
    </>
  );
}

function aboutAccess() {
  return (
    <>
      <h2>Errors are answers</h2>
      <p>
        What an agent can fix comes as a result it can read: a module that does not exist, with the nearest names; no
        credits left, with the day they renew. What it cannot fix is an error of the protocol, and has a page of its own
        in the documentation.
      </p>

      <h2>Without a key</h2>
      <p>
        A client that knows OAuth is given the address alone. It registers, opens your browser, and you choose which
        workspace it searches. Access ends from your account, at the next call.
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
        What the answers are worth is another matter: see{' '}
        <Link to="/blog/how-make-search-good">how we make search good</Link>. To connect an agent, go to{' '}
        <Link to="/mcp">the page for connecting</Link>.
      </p>
    </>
  );
}
