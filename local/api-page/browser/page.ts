/** Swagger UI's bundle defines this variable. */
declare const SwaggerUIBundle: (configuration: Readonly<Record<string, unknown>>) => {
  /** Sets the token of a bearer scheme. */
  readonly preauthorizeApiKey: (scheme: string, token: string) => void;
};

const reference = SwaggerUIBundle({
  url: 'openapi.yaml',
  dom_id: '#reference',
  // The default validator is on the internet.
  validatorUrl: null,
  docExpansion: 'full',
  defaultModelExpandDepth: 9,
  defaultModelsExpandDepth: 9,
});

/** Attributes that Swagger UI omits: names for screen readers, and keyboard access to boxes that scroll. */
const missing = [
  ['#servers', 'aria-label', 'Server'],
  ['.servers input', 'aria-label', 'Value of the server variable'],
  ['.examples-select-element', 'aria-label', 'Example'],
  ['.highlight-code > pre', 'tabindex', '0'],
] as const;
new MutationObserver(() => {
  for (const [selector, attribute, value] of missing)
    for (const element of document.querySelectorAll(`${selector}:not([${attribute}])`))
      element.setAttribute(attribute, value);
}).observe(document.body, { childList: true, subtree: true });

const useTokenOf = async (user: string): Promise<string> => {
  const response = await fetch(`token?user=${user}`, { method: 'POST' });
  const text = await response.text();
  if (!response.ok) return text;
  reference.preauthorizeApiKey('bearer', text);
  return `Requests now have a token of ${user}.`;
};

const status = document.querySelector('output');
for (const button of document.querySelectorAll<HTMLButtonElement>('button[value]')) {
  button.addEventListener('click', () => {
    const done = useTokenOf(button.value).catch(
      () => 'The local service does not respond. Start it with npm start.',
    );
    void done.then((text) => status?.replaceChildren(text));
  });
}
