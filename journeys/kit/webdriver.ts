import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../tests/doubles/child-server.ts'

/** One window of WebKit, Safari's engine, over plain WebDriver: Playwright drives only its own patched WebKit. */
export type WebKitWindow = {
  open(url: string): Promise<void>
  /** Returns the result of the function body run in the page. */
  run<Answer>(body: string, ...args: unknown[]): Promise<Answer>
  /** Polls until the result is truthy in JavaScript. */
  until<Answer>(what: string, body: string, ...args: unknown[]): Promise<Answer>
  /** `finder` is an expression for an element of the page, as in `byText('button', 'Save')`. */
  click(finder: string): Promise<void>
  type(finder: string, text: string): Promise<void>
  screenshot(): Promise<Buffer>
  close(): Promise<void>
}

const patienceMs = 30_000
const askEveryMs = 200

/** Helper functions for finders. */
const finders = `
  const all = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.offsetParent !== null)
  const textOf = (one) => (one.getAttribute('aria-label') ?? one.textContent).trim()
  const byText = (selector, text) => all(selector).find((one) => textOf(one).startsWith(text))
  const byLabel = (text) => all('label').find((one) => one.textContent.trim().startsWith(text))?.control`

export async function openWebKit(driver = '/usr/bin/WebKitWebDriver'): Promise<WebKitWindow> {
  const [binary] = globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')
  if (!binary || !existsSync(driver)) throw new Error('There is no WebKit on this machine (Debian: webkit2gtk-driver).')
  const port = await freePort()
  const home = makeHome()
  const child = startDriver({ driver, port, home })
  const base = `http://127.0.0.1:${port}`
  const stop = async () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid)
    await closed(child)
    rmSync(home, { recursive: true, force: true, maxRetries: 3 })
  }
  try {
    await poll('the driver', () =>
      fetch(`${base}/status`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    const options = { binary, args: ['--automation'] }
    const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } }
    const { sessionId } = await command<{ sessionId: string }>(`${base}/session`, { capabilities })
    return makeWindow(`${base}/session/${sessionId}`, stop)
  } catch (error) {
    await stop()
    throw error
  }
}

/** A new home folder with settings by which WebKit prefers reduced motion: clicks on moving elements miss. */
function makeHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'atrium-webkit-'))
  const folder = join(home, '.config', 'gtk-3.0')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'settings.ini'), '[Settings]\ngtk-enable-animations=0\n')
  return home
}

/** Starts a virtual display where there is none, in the same process group, so that it ends with the driver. */
function startDriver({ driver, port, home }: { driver: string; port: number; home: string }): ChildProcess {
  const args = ['--host=127.0.0.1', `--port=${port}`]
  const [program, ...rest] = process.env.DISPLAY ? [driver, ...args] : ['xvfb-run', '-a', driver, ...args]
  const env = { ...process.env, LANG: 'en_GB.UTF-8', HOME: home, XDG_CONFIG_HOME: join(home, '.config') }
  return spawn(program ?? driver, rest, { env, detached: true, stdio: 'ignore' })
}

const closed = async (child: ChildProcess) => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

const elementKey = 'element-6066-11e4-a52e-4f735466cecf'

function makeWindow(session: string, stop: () => Promise<void>): WebKitWindow {
  const run = <Answer>(body: string, ...args: unknown[]) =>
    command<Answer>(`${session}/execute/sync`, { script: `${finders}\n${body}`, args })
  const until = <Answer>(what: string, body: string, ...args: unknown[]) => poll(what, () => run<Answer>(body, ...args))
  const find = async (finder: string) => {
    const element = await until<Record<string, string>>(finder, `return ${finder}`)
    return `${session}/element/${element[elementKey]}`
  }
  return {
    run,
    until,
    open: (url) => command(`${session}/url`, { url }),
    async click(finder) {
      let before = ''
      await poll(`${finder} to be free`, async () => {
        const element = await find(finder)
        const place = await run<string>(placeOf(finder))
        const isMoving = place !== before // Otherwise the click misses.
        before = place
        return !isMoving && command(`${element}/click`, {}).then(() => true, isCovered)
      })
    },
    type: async (finder, text) => command(`${await find(finder)}/value`, { text }),
    screenshot: async () => Buffer.from(await command<string>(`${session}/screenshot`), 'base64'),
    async close() {
      await fetch(session, { method: 'DELETE' })
      await stop()
    },
  }
}

const placeOf = (finder: string) => `
  const found = ${finder}
  found?.scrollIntoView({ block: 'center' })
  return JSON.stringify(found?.getBoundingClientRect() ?? null)`

/** The element is covered by a moving or sticky element. */
function isCovered(error: Error): false {
  if (/element click intercepted|stale element/.test(error.message)) return false
  throw error
}

async function command<Answer>(url: string, body?: object): Promise<Answer> {
  const answer = await fetch(url, body ? { method: 'POST', body: JSON.stringify(body) } : {})
  const { value } = (await answer.json()) as { value: Answer & { error?: string; message?: string } }
  if (!answer.ok) throw new Error(`${url.replace(/.*\/session/, '')}: ${value.error} ${value.message}`)
  return value
}

async function poll<Answer>(what: string, ask: () => Promise<Answer>): Promise<Answer> {
  const endsAt = performance.now() + patienceMs
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    if (performance.now() > endsAt) throw new Error(`Timed out waiting for ${what}.`)
    await new Promise((done) => setTimeout(done, askEveryMs))
  }
}
