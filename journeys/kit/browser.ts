import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright'
import { type BundledChromium, unpackChromium } from './bundled-chromium.ts'
import { launchFirefox } from './firefox.ts'

type Program = { executablePath: string; env: Record<string, string> }

const args = [
  '--disable-gpu',
  '--font-render-hinting=none', // Same text width on every machine.
  '--disable-domain-reliability',
  '--no-pings',
  // Blocks all requests to other machines.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1',
]

export type Engine = 'chromium' | 'firefox'

/** `ATRIUM_TEST_BROWSER=firefox` runs a journey manually in another browser. */
export function askedEngine(): Engine {
  const { ATRIUM_TEST_BROWSER: asked = 'chromium' } = process.env
  if (asked === 'chromium' || asked === 'firefox') return asked
  throw new Error(`ATRIUM_TEST_BROWSER is chromium or firefox, not ${asked}.`)
}

/** Chromium from CHROMIUM_PATH, the npm package (Linux x64) or Playwright; or the installed Firefox. */
export async function launchBrowser(engine = askedEngine(), extraArgs: string[] = []): Promise<Browser> {
  // Browsers write caches to the home directory, which many container users do not have.
  const home = mkdtempSync(join(tmpdir(), 'atrium-home-'))
  const removeHome = () => rmSync(home, { recursive: true, force: true, maxRetries: 3 })
  try {
    const env = { ...environment(), HOME: home }
    const browser = await (engine === 'firefox' ? launchFirefox(env) : launch(await findProgram(env), extraArgs))
    browser.once('disconnected', removeHome)
    return browser
  } catch (error) {
    removeHome()
    throw error
  }
}

async function launch(program: Program, extraArgs: string[]) {
  const options = { ...program, args: [...args, ...extraArgs] }
  // Chromium has no sandbox for root, and some machines forbid the namespaces it needs.
  if (process.getuid?.() !== 0) {
    try {
      return await chromium.launch({ ...options, chromiumSandbox: true })
    } catch (error) {
      if (!(error instanceof Error && /sandbox|namespace/i.test(error.message))) throw error
    }
  }
  return chromium.launch({ ...options, chromiumSandbox: false })
}

async function findProgram(env: Record<string, string>): Promise<Program> {
  const given = process.env.CHROMIUM_PATH
  if (given) {
    if (existsSync(given)) return { executablePath: given, env }
    throw new Error(`CHROMIUM_PATH names ${given}, which does not exist.`)
  }
  if (process.platform === 'linux' && process.arch === 'x64') return prepareBundled(await unpackChromium(), env)
  const own = chromium.executablePath()
  if (existsSync(own)) return { executablePath: own, env }
  throw new Error(
    'There is no Chromium in npm for this machine. Install one once with ' +
      '`node_modules/.bin/playwright install chromium`, or set CHROMIUM_PATH.',
  )
}

async function prepareBundled(bundled: BundledChromium, given: Record<string, string>): Promise<Program> {
  const executablePath = bundled.program
  const env = { ...given, ...(hasFonts() ? {} : { FONTCONFIG_PATH: bundled.fonts }) }
  if (await starts(executablePath, env)) return { executablePath, env }
  const withLibraries = { ...env, LD_LIBRARY_PATH: bundled.libraries }
  if (await starts(executablePath, withLibraries)) return { executablePath, env: withLibraries }
  throw new Error(`Chromium does not start on this machine (${executablePath}). Set CHROMIUM_PATH to another one.`)
}

async function starts(program: string, env: Record<string, string>) {
  try {
    await promisify(execFile)(program, ['--version'], { env })
    return true
  } catch {
    return false // Usually a missing library, which the caller provides.
  }
}

/** Without a font, pages render no text. */
function hasFonts() {
  const folders = ['/usr/share/fonts', '/usr/local/share/fonts', join(homedir(), '.fonts')]
  const hasFont = (folder: string) =>
    existsSync(folder) &&
    readdirSync(folder, { recursive: true }).some((name) => /\.(ttf|otf|ttc)$/i.test(String(name)))
  return existsSync('/etc/fonts/fonts.conf') && folders.some(hasFont)
}

function environment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
