import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const manifest = new URL('../../package.json', import.meta.url)

/** Identifies the running build: pages of another build notice it and offer to reload. */
export function readAppVersion(webDirectory: string): string {
  const page = join(webDirectory, 'portal', 'index.html')
  const source = readFileSync(existsSync(page) ? page : manifest)
  return createHash('sha256').update(source).digest('hex').slice(0, 12)
}
