import { existsSync } from 'node:fs'
import { type Browser, firefox } from 'playwright'
import { findFirefox } from './firefox-program.ts'

/** The same settings as for Chromium: light, reduced motion, and no requests to other machines. */
const preferences = {
  'ui.systemUsesDarkTheme': 0,
  'ui.prefersReducedMotion': 1,
  // A dead proxy; localhost bypasses it.
  'network.proxy.type': 1,
  'network.proxy.http': '127.0.0.1',
  'network.proxy.http_port': 9,
  'network.proxy.ssl': '127.0.0.1',
  'network.proxy.ssl_port': 9,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'browser.aboutwelcome.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
}

/** Uses WebDriver BiDi, which an unpatched Firefox supports, in a new profile that is removed afterwards. */
export async function launchFirefox(env: Record<string, string>): Promise<Browser> {
  const executablePath = findFirefox(env)
  if (executablePath === null || !existsSync(executablePath))
    throw new Error('There is no Firefox on this machine. Install one (Debian: firefox-esr), or set FIREFOX_PATH.')
  const browser = await firefox.launch({ channel: 'moz-firefox', executablePath, env, firefoxUserPrefs: preferences })
  bringTogether(browser)
  const { newContext } = browser
  return Object.assign(browser, {
    async newContext(...options: Parameters<Browser['newContext']>) {
      const context = await newContext.apply(browser, options)
      await context.addInitScript({ content: insertTextAsTyped })
      return context
    },
  })
}

/**
 * Playwright fills a field by setting its value in the page, which React ignores as its own change. Inserts the text as
 * typing instead, and returns the frame to continue in.
 */
const insertTextAsTyped = `Object.defineProperty(window, '__pw_bidiInsertText', {
  set: () => undefined,
  get: () => (text) => {
    let element = document.activeElement
    while (element?.shadowRoot) element = element.shadowRoot.activeElement
    if (element instanceof HTMLIFrameElement) return element
    document.execCommand('insertText', false, text)
  },
})`

type Session = {
  send(method: string, parameters: unknown): Promise<unknown>
  emit(event: string, parameters: unknown): boolean
}
type Inside = { _connection: { toImpl(browser: Browser): { _browserSession: Session } } }
type DownloadEvent = { navigation?: string | null; download?: string; url: string }

/** Playwright speaks the protocol of releases after the present ESR: adapts the differences. */
function bringTogether(browser: Browser): void {
  const { _browserSession: session } = (browser as unknown as Inside)._connection.toImpl(browser)
  const sessions = Object.getPrototypeOf(session) as Session
  const { send, emit } = sessions
  sessions.send = function (method, parameters) {
    // Playwright sets the colour scheme by a command that the ESR does not support; the preferences above set it.
    if (method !== 'emulation.setMediaFeaturesOverride') return send.call(this, method, parameters)
    if (JSON.stringify(parameters).includes('dark'))
      throw new Error('Journeys in Firefox support only the light scheme.')
    return Promise.resolve({})
  }
  sessions.emit = function (event, parameters) {
    if (/^browsingContext\.download/.test(event)) nameDownload(parameters as DownloadEvent)
    return emit.call(this, event, parameters)
  }
}

/** In the ESR, a download started without navigation has no name, and Playwright ignores it. */
function nameDownload(event: DownloadEvent): void {
  if (!event.navigation) event.download ??= event.url
}
