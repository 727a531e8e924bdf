/**
 * Collapses each error response into a `details` element.
 * @param {unknown} Response Swagger UI's component
 * @param {{ React: { createElement: (...parts: readonly unknown[]) => object } }} system
 */
const collapsedErrors =
  (Response, { React: { createElement } }) =>
  /** @param {{ code: string, response: ReadonlyMap<string, string> }} properties */
  (properties) => {
    const { code, response } = properties;
    const row = createElement(Response, properties);
    if (code.startsWith('2')) return row;
    const [sentence = ''] = response.get('description')?.split(/(?<=\.)\s/) ?? [];
    const summary = createElement('summary', {}, `${code}: ${sentence.replaceAll('`', '')}`);
    const table = createElement('table', {}, createElement('tbody', {}, row));
    const details = createElement('details', {}, summary, table);
    return createElement('tr', {}, createElement('td', { colSpan: 2 }, details));
  };

// @ts-expect-error Swagger UI's bundle defines this variable.
const reference = SwaggerUIBundle({
  url: '/docs/openapi.yaml',
  dom_id: '#reference',
  docExpansion: 'full',
  defaultModelExpandDepth: 9,
  defaultModelsExpandDepth: 9,
  plugins: [{ wrapComponents: { response: collapsedErrors } }],
});

/**
 * Attributes that Swagger UI omits: names for screen readers, and keyboard access to boxes that scroll.
 * @type {readonly (readonly [selector: string, attribute: string, value: string])[]}
 */
const missingAttributes = [
  ['#servers', 'aria-label', 'Server'],
  ['.examples-select-element', 'aria-label', 'Example'],
  ['.highlight-code > pre', 'tabindex', '0'],
];
new MutationObserver(() => {
  for (const [selector, attribute, value] of missingAttributes)
    for (const element of document.querySelectorAll(`${selector}:not([${attribute}])`))
      element.setAttribute(attribute, value);
}).observe(document.body, { childList: true, subtree: true });

for (const button of document.querySelectorAll('button'))
  button.addEventListener('click', () => {
    reference.preauthorizeApiKey('bearer', button.value);
    const user = button.textContent.replace('Use', 'Requests now have');
    document.querySelector('output')?.replaceChildren(`${user}.`);
  });
