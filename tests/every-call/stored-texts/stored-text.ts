import type { Call } from '@atrium/contract/call.ts'
import type pg from 'pg'
import { newId } from '../../../server/foundation/ids.ts'

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

export const auditLog = '/desk/api/audit?limit=1'
export const graph = (query: string): string => `/graph?q=${Buffer.from(query).toString('base64url')}`

export async function addKey(owner: pg.Client, workspaceId: string, whose: Record<string, string>): Promise<string> {
  const id = newId()
  const [column, person] = Object.entries(whose)[0] ?? []
  await owner.query(
    `insert into passkeys (workspace_id, passkey_id, ${column}, credential_id, public_key, counter, name, created_at)
     values ($1, $2, $3, $4, $5, 0, 'Laptop', now())`,
    [workspaceId, id, person, id, Buffer.from('key')],
  )
  return id
}
