import { HowDoesMcp } from '../features/blog/how-does-ref-mcp.tsx';
import { PublicPageHead } from '../lib/public-page-head.tsx';

export default function McpPost() {
  return (
    <>
      <PublicPageHead path="/blog/how-does-ref-mcp" />
      <HowDoesMcp />
    </>
  );
}
