import { ChatScreen } from '../features/chat/chat-screen.tsx';
import { publicPage } from '../lib/public-page-head.tsx';

export default publicPage('/chat', ChatScreen);
