import { readFileSync } from 'node:fs'

const manifest = new URL('../../package.json', import.meta.url)

/** Version of the running program, from its release (docs/developers/releasing.md). */
export const version = (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
