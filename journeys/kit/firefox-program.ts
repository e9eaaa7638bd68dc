import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The Firefox of FIREFOX_PATH or of the system; npm provides none. */
export function findFirefox(env: NodeJS.ProcessEnv = process.env): string | null {
  const { FIREFOX_PATH: given, PATH = '' } = env
  if (given) return given
  const places = PATH.split(delimiter).flatMap((folder) => ['firefox-esr', 'firefox'].map((name) => join(folder, name)))
  return places.find((place) => existsSync(place)) ?? null
}
