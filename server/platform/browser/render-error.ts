import { CodedError } from '../coded-error.ts';

export type RenderErrorCode = 'render-timeout' | 'render-failed' | 'render-too-large' | 'browser-unusable';

/** A page that the browser could not show; the message is a sentence for people. */
export class RenderError extends CodedError<RenderErrorCode> {
  override readonly name = 'RenderError';
}
