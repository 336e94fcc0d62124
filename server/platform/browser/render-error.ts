export type RenderErrorCode = 'render-timeout' | 'render-failed' | 'render-too-large' | 'browser-unusable';

/** A page that the browser could not show; the message is a sentence for people. */
export class RenderError extends Error {
  override readonly name = 'RenderError';
  readonly code: RenderErrorCode;

  constructor(code: RenderErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
