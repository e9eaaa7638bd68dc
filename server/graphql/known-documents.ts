import type { DocumentNode } from 'graphql'
import { keepRecent } from '../foundation/database/recent.ts'
import type { LimitName } from './limits.ts'

export type KnownDocument = {
  document: DocumentNode
  /** The limit broken with these variables, or null; measured once per text of variables. */
  measured(variablesText: string, measure: () => LimitName | null): LimitName | null
}

export type KnownDocuments = {
  find(query: string): KnownDocument | undefined
  keep(query: string, document: DocumentNode): void
}

/** Longer texts, and more of them, are measured every time. */
const measuredMax = { texts: 50, chars: 500 }

/**
 * Caches valid documents by their text, since browsers send the same dozen repeatedly and validating one costs more
 * than running it. Limits also depend on the variables.
 */
export function rememberDocuments(documentsMax = 300): KnownDocuments {
  const known = keepRecent<KnownDocument>(documentsMax)
  return {
    find: (query) => known.find(query),
    keep: (query, document) => known.keep(query, knownDocument(document)),
  }
}

function knownDocument(document: DocumentNode): KnownDocument {
  const broken = new Map<string, LimitName | null>()
  return {
    document,
    measured(variablesText, measure) {
      const earlier = broken.get(variablesText)
      if (earlier !== undefined) return earlier
      const found = measure()
      if (broken.size < measuredMax.texts && variablesText.length <= measuredMax.chars) broken.set(variablesText, found)
      return found
    },
  }
}
