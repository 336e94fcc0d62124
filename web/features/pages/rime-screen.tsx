import { commands } from '../../lib/commands.ts';
import { AnswerCode, SampleAnswer } from './sample-answer.tsx';
import { UseCasePage } from './use-case-page.tsx';

const schema = `{
  text: string; // What is said.; max length 500
  voice: string; // Name of a voice
  sampleRate?: integer; // Samples a second.; default 24000
}`;

export function RimeScreen() {
  return (
    <UseCasePage
      vendor="Rime"
      title="An HTTP interface, one operation at a time"
      lead="Rime turns text into speech over an API. What an agent needs of such an API is one operation with its parameters, their types and defaults, and the answers it may give. Not the whole reference, and not a guess."
      points={[
        {
          title: 'Operations are passages',
          text: 'A description in OpenAPI or Swagger is read as such: one passage for each operation, with the request written as a type.',
        },
        {
          title: 'Lists that change',
          text: 'Voices, models and languages come and go. A refresh fetches what has changed, and the page of a source says how old it is.',
        },
        {
          title: 'Public and private together',
          text: 'Notes of your own team on how you use the API can be indexed beside it. Where both match, the private ones come first.',
        },
      ]}
      steps={[
        {
          title: 'Start it',
          text: 'One process with its data in one folder. It prints its address and a sign-in link.',
          command: commands.start,
          label: 'Command that starts the server',
        },
        {
          title: 'Index the documentation',
          text: 'The site with its guides; descriptions of the interface that it links to are read with it.',
          command: './lectern index https://docs.rime.ai/',
          label: 'Command that indexes the site',
        },
        {
          title: 'Add what only your team knows',
          text: 'A folder of Markdown, or a repository. It is found with your own keys only.',
          command: './lectern index ./voice-notes --private',
          label: 'Command that indexes a private folder',
        },
        {
          title: 'Connect an agent',
          text: 'A key for the agent. The address for its configuration is on the page for connecting.',
          command: './lectern key create my-agent',
          label: 'Command that makes a key',
        },
      ]}
      answer={
        <SampleAnswer
          question="turn text into speech sample rate"
          path={['Speech example', 'Operations', 'POST /v1/speech']}
          measured="The operation as it was found: request, types, defaults and answers in one passage."
          caption="A real answer, shortened, from a description of three dozen lines that was written for this page. It is not Rime's interface."
        >
          <p>
            <strong className="text-ink">Turn text into speech.</strong> Answers audio as it is made. Play it as it
            arrives. Request body (required) application/json:
          </p>
          <AnswerCode code={schema} label="Request body" />
          <p>Responses: 200 Audio. 422 The voice is not known.</p>
        </SampleAnswer>
      }
    />
  );
}
