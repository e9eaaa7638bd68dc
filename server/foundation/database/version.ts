import { readFileSync } from 'node:fs'

const manifest = new URL('../../package.json', import.meta.url)

/** Of the running program, as its release named it (docs/developers/releasing.md). */
export const version = (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
