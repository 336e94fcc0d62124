import type { Flow } from './flow.ts';
import { indexFlow, pdfFlow, refreshFlow, removeFlow, startFlow } from './library-flows.ts';
import { debitFlow, eraseFlow, inviteFlow, keyFlow, purchaseFlow, signUpFlow } from './people-flows.ts';
import { qualityFlow } from './quality-flow.ts';
import { renewFlow, teamFlow } from './team-flows.ts';

/** By name. */
export const flows = {
  'a first start': startFlow,
  'an index run': indexFlow,
  'a refresh': refreshFlow,
  'a version that is held back and accepted': qualityFlow,
  'the removal of a module': removeFlow,
  'charged searches': debitFlow,
  'a sign-up': signUpFlow,
  'an invitation': inviteFlow,
  'a purchase of credits': purchaseFlow,
  'a new key': keyFlow,
  'an uploaded PDF file': pdfFlow,
  'an account that is erased': eraseFlow,
  'a team that is paid for, handed over and deleted': teamFlow,
  'secrets that are encrypted anew': renewFlow,
} satisfies Record<string, Flow>;

export type FlowName = keyof typeof flows;
