import { useParams } from 'react-router';
import { ChatScreen } from '../features/chat/chat-screen.tsx';
import { PageTitle } from '../lib/page-title.tsx';

export default function ChatModule() {
  const { moduleId = '' } = useParams();
  return (
    <>
      <PageTitle page={`Chat with ${moduleId}`} />
      <ChatScreen key={moduleId} moduleId={moduleId} />
    </>
  );
}
