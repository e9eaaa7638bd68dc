import { z } from 'zod'
import { defineCall } from '../call.ts'
import { listCalls } from '../list-calls.ts'
import { auditList } from './desk-list.ts'

const ok = z.object({ status: z.literal('ok') })

const details = z.record(z.string(), z.unknown()).nullable()

/** The current name of an id in the log. */
const named = z.object({ name: z.string(), amount: z.string().nullable(), currency: z.string().nullable() })
export type NamedInLog = z.output<typeof named>

export const auditEntry = z.object({
  _id: z.uuid(),
  at: z.int(),
  actor: z.object({
    kind: z.enum(['member', 'staff', 'system']),
    _id: z.uuid().nullable(),
    name: z.string().nullable(),
  }),
  action: z.string(),
  subject: z.object({ kind: z.string(), _id: z.uuid() }),
  member: z.object({ _id: z.uuid(), name: z.string(), customer_number: z.string() }).nullable(),
  before: details,
  after: details,
  address: z.string().nullable(),
})

const calls = listCalls(auditList, {
  path: '/desk/api/audit',
  right: 'audit.read',
  row: auditEntry,
  extra: {
    /** By the ids in the entries. The previous version omits it. */
    names: z.record(z.string(), named).default({}),
  },
})

/** Without a total: counting the log is expensive and of no use. */
export const listAudit = { ...calls.list, answer: calls.list.answer.omit({ total: true }) }
export const exportAudit = calls.table

/** The options of the log's filters. */
export const readAuditChoices = defineCall({
  method: 'GET',
  path: '/desk/api/audit/choices',
  access: 'staff',
  right: 'audit.read',
  input: z.object({}),
  answer: ok.extend({
    staff: z.array(z.object({ _id: z.uuid(), name: z.string() })),
    actions: z.array(z.string()),
  }),
})
