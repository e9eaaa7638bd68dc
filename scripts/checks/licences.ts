import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Lock } from './lockfile.ts'

/** Licences that require only attribution. */
const permissive = ['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0']
permissive.push('CC0-1.0', 'Unlicense', 'Python-2.0', 'PSF-2.0', 'Zlib')

/** Licences with further conditions: fine for fonts, which we ship unchanged, and for tools, which we do not ship. */
const besides: Record<string, (path: string, isTool: boolean) => boolean> = {
  'OFL-1.1': (path) => /^node_modules\/@fontsource(-variable)?\//.test(path),
  'MPL-2.0': (_path, isTool) => isTool,
}

/** Packages whose manifest names no licence; the comment says where it is. */
const readElsewhere: Record<string, string> = {
  'node_modules/busboy': 'MIT', // LICENSE
  'node_modules/streamsearch': 'MIT', // LICENSE
  'node_modules/png-js': 'MIT', // LICENSE
  'node_modules/combine-errors': 'MIT', // Readme.md
  'node_modules/humanize-number': 'MIT', // Readme.md
}

/** Packages whose licence does not allow redistribution; normally empty. */
export function checkLicences({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(([path, { link, license, dev }]) => {
    if (!path.includes('node_modules/') || link) return []
    const named = license ?? readElsewhere[path]
    if (named === undefined) return [`${path} names no licence`]
    const isFine = (each: string): boolean => permissive.includes(each) || besides[each]?.(path, dev === true) === true
    return isAllowed(named, isFine) ? [] : [`${path} has the licence ${named}`]
  })
}

/** `(MIT OR CC0-1.0)` needs one allowed licence, `MIT AND ISC` needs all of them allowed. */
function isAllowed(expression: string, isFine: (name: string) => boolean): boolean {
  const choices = expression.replace(/^\((.*)\)$/, '$1').split(/ or /i)
  return choices.some((choice) => choice.split(/ and /i).every((name) => isFine(name.trim())))
}

export const readLock = (root: string): Lock =>
  JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
