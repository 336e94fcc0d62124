import { AnswerCode, SampleAnswer } from '../features/pages/sample-answer.tsx';
import { UseCasePage } from '../features/pages/use-case-page.tsx';
import { commands } from '../lib/commands.ts';
import { publicPage } from '../lib/public-page-head.tsx';

const schema = `{
  text: string; // What is said.; max length 500
  voice: string; // Name of a voice
  sampleRate?: integer; // Samples a second.; default 24000
}`;

function RimeScreen() {
  return (
    <UseCasePage
      vendor="Rime"
      title="An HTTP API, one operation at a time"
      lead="Rime turns text into speech over an API. An agent needs one operation of such an API, with its parameters, their types and defaults, and the possible responses: not the whole reference, and not a guess."
      points={[
        {
          title: 'Operations are passages',
          text: 'An OpenAPI or Swagger description becomes one passage per operation, with the request written as a type.',
        },
        {
          title: 'Lists that change',
          text: "Voices, models and languages come and go. A refresh fetches changed pages, and a source's page shows its age.",
        },
        {
          title: 'Public and private together',
          text: "You can index your team's notes on how you use the API. If both match, the private ones come first.",
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
          text: 'The site with its guides, and the API descriptions that it links to.',
          command: './lectern index https://docs.rime.ai/',
          label: 'Command that indexes the site',
        },
        {
          title: "Add your team's knowledge",
          text: 'A folder of Markdown, or a repository. Only your own keys can search it.',
          command: './lectern index ./voice-notes --private',
          label: 'Command that indexes a private folder',
        },
        {
          title: 'Connect an agent',
          text: 'A key for the agent. See the connection page for its configuration.',
          command: './lectern key create my-agent',
          label: 'Command that creates a key',
        },
      ]}
      answer={
        <SampleAnswer
          question="turn text into speech sample rate"
          path={['Speech example', 'Operations', 'POST /v1/speech']}
          measured="The operation as returned: request, types, defaults and responses in one passage."
          caption="A real result, shortened, from a description of three dozen lines written for this page. It is not Rime's API."
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

export default publicPage('/use-case/rime', RimeScreen);
