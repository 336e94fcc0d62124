// Copied into the package for Node 22: the subset of AsyncDisposableStack, part of Node 24, that the program uses.

class SuppressedError extends Error {
  constructor(error, suppressed, message) {
    super(message);
    this.error = error;
    this.suppressed = suppressed;
  }
}

class AsyncDisposableStack {
  disposed = false;
  #ends = [];

  defer(end) {
    this.#ends.push(end);
  }

  adopt(value, end) {
    this.#ends.push(() => end(value));
    return value;
  }

  use(value) {
    return this.adopt(value, () => value?.[Symbol.asyncDispose]());
  }

  async disposeAsync() {
    if (this.disposed) return;
    this.disposed = true;
    let failure;
    for (const end of this.#ends.reverse()) {
      try {
        await end();
      } catch (error) {
        failure = { error: failure === undefined ? error : new SuppressedError(error, failure.error) };
      }
    }
    if (failure !== undefined) throw failure.error;
  }
}

globalThis.SuppressedError ??= SuppressedError;
globalThis.AsyncDisposableStack ??= AsyncDisposableStack;
