/** Swagger UI's bundle defines this variable. */
declare const SwaggerUIBundle: (configuration: Readonly<Record<string, unknown>>) => {
  /** Sets the token of a bearer scheme. */
  readonly preauthorizeApiKey: (scheme: string, token: string) => void;
};

interface System {
  readonly React: { readonly createElement: (...parts: readonly unknown[]) => object };
}

/** Collapses each error response into a `details` element. */
const collapsedErrors =
  (Response: unknown, { React: { createElement } }: System) =>
  (properties: { readonly code: string; readonly response: ReadonlyMap<string, string> }): object => {
    const { code, response } = properties;
    const row = createElement(Response, properties);
    if (code.startsWith('2')) return row;
    const [sentence = ''] = response.get('description')?.split(/(?<=\.)\s/) ?? [];
    const summary = createElement('summary', {}, `${code}: ${sentence.replaceAll('`', '')}`);
    const table = createElement('table', {}, createElement('tbody', {}, row));
    const details = createElement('details', {}, summary, table);
    return createElement('tr', {}, createElement('td', { colSpan: 2 }, details));
  };

const reference = SwaggerUIBundle({
  url: 'openapi.yaml',
  dom_id: '#reference',
  docExpansion: 'full',
  defaultModelExpandDepth: 9,
  defaultModelsExpandDepth: 9,
  plugins: [{ wrapComponents: { response: collapsedErrors } }],
});

/** Attributes that Swagger UI omits: names for screen readers, and keyboard access to boxes that scroll. */
const missing = [
  ['#servers', 'aria-label', 'Server'],
  ['.examples-select-element', 'aria-label', 'Example'],
  ['.highlight-code > pre', 'tabindex', '0'],
] as const;
new MutationObserver(() => {
  for (const [selector, attribute, value] of missing)
    for (const element of document.querySelectorAll(`${selector}:not([${attribute}])`))
      element.setAttribute(attribute, value);
}).observe(document.body, { childList: true, subtree: true });

const useTokenOf = async (user: string): Promise<string> => {
  const response = await fetch(`token?user=${user}`, { method: 'POST' }).catch(() => undefined);
  if (response === undefined) return 'The local service does not respond. Start it with npm start.';
  const text = await response.text();
  if (!response.ok) return text;
  reference.preauthorizeApiKey('bearer', text);
  return `Requests now have a token of ${user}.`;
};

for (const button of document.querySelectorAll<HTMLButtonElement>('button[value]'))
  button.addEventListener('click', () => {
    void useTokenOf(button.value).then((text) => document.querySelector('output')?.replaceChildren(text));
  });
