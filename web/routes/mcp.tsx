import { McpScreen } from '../features/mcp/mcp-screen.tsx';
import { publicPage } from '../lib/public-page-head.tsx';

export default publicPage('/mcp', McpScreen);
