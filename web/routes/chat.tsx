import { ChatScreen } from '../features/chat/chat-screen.tsx';
import { PublicPageHead } from '../lib/public-page-head.tsx';

export default function Chat() {
  return (
    <>
      <PublicPageHead path="/chat" />
      <ChatScreen />
    </>
  );
}
