import { HomeScreen } from '../features/home/home-screen.tsx';
import { useProductName } from '../lib/session.ts';

const description =
  'Indexes documentation on your own machine and answers coding agents over MCP with the passage they need, not the page.';

export default function Home() {
  const title = `${useProductName()} - Context for your agent`;
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:type" content="website" />
      <HomeScreen />
    </>
  );
}
