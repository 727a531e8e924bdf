/** The part of Swagger UI that is used here. Its bundle defines this variable. */
declare const SwaggerUIBundle: (configuration: {
  readonly url: string;
  readonly dom_id: string;
  readonly validatorUrl: null;
  readonly docExpansion: 'full';
  readonly defaultModelExpandDepth: number;
  readonly defaultModelsExpandDepth: number;
}) => {
  /** Sets the token of a bearer scheme. */
  readonly preauthorizeApiKey: (scheme: string, token: string) => void;
};

/** The users for whom the page's server issues tokens; empty on a published page. Set when the page is built. */
declare const tokenUsers: readonly string[];

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
  for (const [selector, attribute, value] of missing) {
    for (const element of document.querySelectorAll(`${selector}:not([${attribute}])`)) {
      element.setAttribute(attribute, value);
    }
  }
}).observe(document.body, { childList: true, subtree: true });

const status = document.createElement('output');

const useTokenOf = async (user: string): Promise<void> => {
  const response = await fetch(`token?user=${user}`, { method: 'POST' });
  if (response.ok) reference.preauthorizeApiKey('bearer', await response.text());
  status.textContent = response.ok ? `Requests now have a token of ${user}.` : await response.text();
};

const buttonOf = (user: string): HTMLButtonElement => {
  const button = document.createElement('button');
  button.textContent = `Use a token of ${user}`;
  button.addEventListener('click', () => {
    useTokenOf(user).catch(() => {
      status.textContent = 'The local service does not respond. Start it with npm start.';
    });
  });
  return button;
};

const section = document.querySelector<HTMLElement>('#token');
if (section !== null && tokenUsers.length > 0) {
  section.append(...tokenUsers.map(buttonOf), status);
  section.hidden = false;
}
