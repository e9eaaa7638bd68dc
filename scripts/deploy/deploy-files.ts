import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { secretVariables } from '../../server/environment.ts'

export const root = dirname(dirname(import.meta.dirname))
export const read = (path: string): string => readFileSync(join(root, 'deploy', path), 'utf8')

/** The files in deploy/ name the program's variables, folders and metrics, and no compiler checks them. */
const known = [...readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm)].map(
  ([, name]) => name,
)
export const isKnown = (name: string): boolean =>
  known.includes(name) || secretVariables.some((secret) => name === `${secret}_FILE`)
