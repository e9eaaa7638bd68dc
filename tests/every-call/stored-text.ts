import type { Call } from '@atrium/contract/call.ts'

/** Text fields that a call stores as sent, and where they are shown again. */
export type StoredText = {
  call: Call
  fields: readonly string[]
  /** A valid body. */
  body(): Promise<Body>
  /** Where the stored text is read: by whom, and at which path. */
  shown(sent: Body, answer: Body): ['member' | 'staff', string][]
  /** The response itself contains the text, read back from the database. */

  isAnswered?: boolean
  /** The stored form of a text, besides trimming. */
  normalise?(text: string): string
}

export type Body = Record<string, unknown>
