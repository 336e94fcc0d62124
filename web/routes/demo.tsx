import { ChatScreen } from '../features/chat/chat-screen.tsx';
import { PublicPageHead } from '../lib/public-page-head.tsx';

export default function Demo() {
  return (
    <>
      <PublicPageHead path="/demo" />
      <ChatScreen isDemo />
    </>
  );
}
