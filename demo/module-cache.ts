import { type LoadFnOutput, type ResolveFnOutput, registerHooks, stripTypeScriptTypes } from 'node:module'
import { pathToFileURL } from 'node:url'

const root = new URL('../', import.meta.url).href
const mark = '?warm'

/** Makes a later import of a program fast: it reuses packages, resolved addresses and stripped texts. */
type ModuleCache = {
  /** Imports it under addresses that end in a mark, so that the later import evaluates our modules anew and shares no state. */
  warm(program: URL): Promise<void>
  /** A file changed. */
  forget(file: string): void
}

export function openModuleCache(): ModuleCache {
  const resolved = new Map<string, ResolveFnOutput>()
  const loaded = new Map<string, LoadFnOutput>()
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = '' } = context
      if (!isOurs(parentURL)) return next(specifier, context)
      const key = `${specifier} ${unmarked(parentURL)}`
      const found = resolved.get(key) ?? next(specifier, context)
      resolved.set(key, found)
      const isWarming = parentURL.endsWith(mark) && isOurs(found.url)
      return { ...found, url: isWarming ? found.url + mark : found.url, shortCircuit: true }
    },
    load(url, context, next) {
      if (!isOurs(url)) return next(url, context)
      const key = unmarked(url)
      const found = loaded.get(key) ?? stripped(next(key, context))
      loaded.set(key, found)
      return { ...found, shortCircuit: true }
    },
  })
  return {
    // A file with an error is reported by the later import.
    warm: (program) => import(program.href + mark).catch(() => undefined),
    forget: (file) => loaded.delete(pathToFileURL(file).href),
  }
}

const isOurs = (url: string): boolean => url.startsWith(root) && !url.includes('/node_modules/')
const unmarked = (url: string): string => url.replace(mark, '')

function stripped(found: LoadFnOutput): LoadFnOutput {
  if (found.format !== 'module-typescript') return found
  try {
    return { format: 'module', source: stripTypeScriptTypes(`${found.source}`) }
  } catch {
    return found // Node reports the error with its place in the file.
  }
}
