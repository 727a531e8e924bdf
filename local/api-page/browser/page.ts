/** The part of Swagger UI used here; its bundle sets this variable. */
declare const SwaggerUIBundle: (configuration: {
  readonly url: string;
  readonly dom_id: string;
  readonly validatorUrl: null;
  readonly docExpansion: 'full';
  readonly defaultModelExpandDepth: number;
  readonly defaultModelsExpandDepth: number;
}) => {
  /** Fills in the token of a bearer scheme. */
  readonly preauthorizeApiKey: (scheme: string, token: string) => void;
};

/** Whose tokens the server of this page hands out; none when it is published. Set when the page is built. */
declare const tokenUsers: readonly string[];

const reference = SwaggerUIBundle({
  url: 'openapi.yaml',
  dom_id: '#reference',
  // By default, one on the internet.
  validatorUrl: null,
  docExpansion: 'full',
  defaultModelExpandDepth: 9,
  defaultModelsExpandDepth: 9,
});

/** What Swagger UI leaves out: names for screen readers, and a way by keyboard into boxes that scroll. */
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
  status.textContent = response.ok ? `Requests carry a token of ${user}.` : await response.text();
};

const buttonOf = (user: string): HTMLButtonElement => {
  const button = document.createElement('button');
  button.textContent = `Use a token of ${user}`;
  button.addEventListener('click', () => {
    useTokenOf(user).catch(() => {
      status.textContent = 'The local service does not answer. Start it with npm start.';
    });
  });
  return button;
};

const section = document.querySelector<HTMLElement>('#token');
if (section !== null && tokenUsers.length > 0) {
  section.append(...tokenUsers.map(buttonOf), status);
  section.hidden = false;
}
