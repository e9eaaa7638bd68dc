// Types of packages that only `npm run bench` installs (bench/package.json), so that the type check does not need them.

declare module 'autocannon' {
  type Client = { setRequests(requests: readonly object[]): void }
  type Options = { url: string; connections: number; duration: number; setupClient(client: Client): void }
  type Result = {
    '2xx': number
    non2xx: number
    errors: number
    /** Seconds. */
    duration: number
    /** Milliseconds. */
    latency: { p50: number; p99: number }
  }
  export default function autocannon(options: Options): Promise<Result>
}

declare module 'puppeteer-core' {
  export type Tab = { evaluateOnNewDocument(script: string): Promise<unknown>; close(): Promise<void> }
  type Connected = { newPage(): Promise<Tab>; disconnect(): Promise<void> }
  const puppeteer: { connect(options: { browserURL: string }): Promise<Connected> }
  export default puppeteer
}

declare module 'lighthouse' {
  import type { Tab } from 'puppeteer-core'
  export type Result = {
    runtimeError?: { message: string }
    categories: Record<string, { score: number | null } | undefined>
    audits: Record<string, { numericValue?: number; details?: unknown } | undefined>
  }
  type Settings = { onlyCategories: string[]; maxWaitForLoad: number }
  export default function lighthouse(
    url: string,
    settings: Settings,
    config: undefined,
    tab: Tab,
  ): Promise<{ lhr: Result } | undefined>
}

declare module 'postgraphile' {
  import type { RequestListener } from 'node:http'

  type Server = { createHandler(): RequestListener }
  type Instance = { createServ(by: unknown): Server; getSchema(): Promise<unknown> }
  export function postgraphile(preset: object): Instance
}
declare module 'postgraphile/adaptors/pg' {
  export function makePgService(options: object): object
}
declare module 'postgraphile/grafserv/node' {
  export const grafserv: unknown
}
declare module 'postgraphile/presets/amber' {
  export const PostGraphileAmberPreset: object
}
