import { highlight } from './highlight.ts';

addEventListener('message', ({ data: { code, language }, ports: [port] }) => {
  void highlight(code, language)
    .catch(() => undefined)
    .then((lines) => port?.postMessage(lines));
});
