import { McpScreen } from '../features/mcp/mcp-screen.tsx';
import { PublicPageHead } from '../lib/public-page-head.tsx';

export default function Mcp() {
  return (
    <>
      <PublicPageHead path="/mcp" />
      <McpScreen />
    </>
  );
}
