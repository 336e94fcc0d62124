import './home.css';
import { useProductName } from '../../lib/session.ts';
import { LiveSearch } from './live-search.tsx';
import { WaysToStart } from './ways-to-start.tsx';
import { Why } from './why.tsx';

/** What the product is, a real search with its price, and the two ways to start, on one screen. */
export function HomeScreen() {
  const productName = useProductName();
  return (
    <div className="home-ground flex flex-1 flex-col">
      <div className="frame grid gap-x-14 gap-y-10 py-10 md:py-14 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.12fr)] lg:grid-rows-[auto_1fr]">
        <div className="min-w-0 lg:pt-18">
          <h1 className="font-display text-4xl text-ink tracking-[-0.03em] sm:text-6xl xl:text-7xl">
            <span className="lit-words">Context</span> for your agent
          </h1>
          <p className="mt-5 max-w-[33rem] text-pretty text-lg text-soft">
            {productName} indexes the documentation you build with, public and private, and answers coding agents over
            MCP: the passage that holds the answer, not the page around it.
          </p>
        </div>
        <div className="min-w-0 lg:col-start-2 lg:row-span-2 lg:row-start-1">
          <LiveSearch />
        </div>
        <WaysToStart />
      </div>
      <Why />
    </div>
  );
}
