import { HowDoesMcp } from '../features/blog/how-does-ref-mcp.tsx';
import { publicPage } from '../lib/public-page-head.tsx';

export default publicPage('/blog/how-does-ref-mcp', HowDoesMcp);
