import type { Engine } from './browser.ts'

/** Options that the shared server cannot provide: an environment, processes or a browser engine of its own. */
export type OwnServerOptions = {
  /** Added to the environment of each process; `{port}` is the public port. */
  environment?: Record<string, string>
  /** Number of processes behind a balancer; ATRIUM_TEST_PROCESSES sets it for every journey. */
  processes?: number
  /** Additional environment for all processes but the first. */
  othersEnvironment?: Record<string, string>
  /** Defaults to the requested browser. */
  engine?: Engine
  /** The journey changes or reads the whole database, for a backup or to fill it as its owner. */
  wholeDatabase?: true
}

const names = ['environment', 'processes', 'othersEnvironment', 'engine', 'wholeDatabase'] as const

/** Decides which journeys share a server. Environment variables run every journey on several processes or in Firefox. */
export function needsOwnServer(options: OwnServerOptions, env = process.env): boolean {
  const { ATRIUM_TEST_PROCESSES = '1', ATRIUM_TEST_BROWSER = 'chromium' } = env
  const isAsked = ATRIUM_TEST_PROCESSES !== '1' || ATRIUM_TEST_BROWSER !== 'chromium'
  return isAsked || names.some((name) => options[name] !== undefined)
}

/** The same as `needsOwnServer`, from the journey's source text. */
export function asksForOwnServer(source: string): boolean {
  const option = new RegExp(`\\b(?:${names.join('|')})\\b`)
  return [...source.matchAll(/\bopenTestApp\(([^)]*)\)/g)].some(([, given = '']) => option.test(given))
}
