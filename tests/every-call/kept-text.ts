import type { Call } from '@atrium/contract/call.ts'

/** Texts that a call takes as they come and keeps, and where they are shown again. */
export type Kept = {
  call: Call
  fields: readonly string[]
  /** A body that is taken. */
  body(): Promise<Body>
  /** Where somebody reads what was written: by whom, and at which path. */
  shown(sent: Body, answer: Body): ['member' | 'staff', string][]
  /** The answer itself shows it, read from where it is kept. */

  isAnswered?: boolean
  /** What is made of a text beside taking the blanks at its ends away. */
  normalise?(text: string): string
}

export type Body = Record<string, unknown>
