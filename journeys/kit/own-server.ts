import type { Engine } from './browser.ts'

/** What a stage is opened with that the server of the other journeys cannot give it: surroundings, processes or an engine of its own. */
export type OwnServerOptions = {
  /** Beside what every server is started with, in each of its processes; `{port}` is the one that people use. */
  environment?: Record<string, string>
  /** So many behind a balancer; ATRIUM_TEST_PROCESSES lets every journey be walked that way. */
  processes?: number
  /** Beside that, for all of them but the first. */
  othersEnvironment?: Record<string, string>
  /** The browser that was asked for, unless said. */
  engine?: Engine
  /** The journey changes or reads the whole database: it is backed up, or filled by its owner. */
  wholeDatabase?: true
}

const names = ['environment', 'processes', 'othersEnvironment', 'engine', 'wholeDatabase'] as const

/** The one place that decides which journeys share a server. By hand every journey may be walked on several processes or in Firefox. */
export function needsOwnServer(options: OwnServerOptions, env = process.env): boolean {
  const { ATRIUM_TEST_PROCESSES = '1', ATRIUM_TEST_BROWSER = 'chromium' } = env
  const isAsked = ATRIUM_TEST_PROCESSES !== '1' || ATRIUM_TEST_BROWSER !== 'chromium'
  return isAsked || names.some((name) => options[name] !== undefined)
}

/** The same as `needsOwnServer` for whoever only has the journey's text. */
export function asksForOwnServer(source: string): boolean {
  const option = new RegExp(`\\b(?:${names.join('|')})\\b`)
  return [...source.matchAll(/\bopenTestApp\(([^)]*)\)/g)].some(([, given = '']) => option.test(given))
}
