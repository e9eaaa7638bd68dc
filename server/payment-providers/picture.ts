import { existsSync, readFileSync } from 'node:fs'

/**
 * A provider's logo as its folder holds it, drawn by us: no call to anybody for one. A square tile with its own ground, so
 * that it looks the same on light and on dark.
 */
export function readLogo(folder: string): string | null {
  const path = `${import.meta.dirname}/${folder}/logo.svg`
  return existsSync(path) ? `data:image/svg+xml,${encodeURIComponent(readFileSync(path, 'utf8').trim())}` : null
}
