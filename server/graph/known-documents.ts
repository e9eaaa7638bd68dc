import type { DocumentNode } from 'graphql'
import type { LimitName } from './limits.ts'

export type KnownDocument = {
  document: DocumentNode
  /** What is measured with variables that say so much, measured at most once; which limit it breaks, if any. */
  measured(variablesText: string, measure: () => LimitName | null): LimitName | null
}

export type KnownDocuments = {
  find(query: string): KnownDocument | undefined
  keep(query: string, document: DocumentNode): void
}

/** Longer ones, and more of them, are measured each time. */
const measuredMax = { texts: 50, chars: 500 }

/**
 * Documents that were parsed and found valid, by their text, the longest unused forgotten first. Members' browsers send
 * the same dozen over and over, and checking one costs more than running it. Limits depend on the variables too.
 */
export function rememberDocuments(documentsMax = 300): KnownDocuments {
  const known = new Map<string, KnownDocument>()
  return {
    find(query) {
      const found = known.get(query)
      if (found) {
        known.delete(query)
        known.set(query, found)
      }
      return found
    },
    keep(query, document) {
      known.set(query, knownDocument(document))
      const oldest = known.keys().next()
      if (known.size > documentsMax && !oldest.done) known.delete(oldest.value)
    },
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
