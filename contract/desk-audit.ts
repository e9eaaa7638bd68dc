import { z } from 'zod'
import { defineCall } from './call.ts'
import { pageMark } from './desk-members.ts'
import { limits } from './limits.ts'

const ok = z.object({ status: z.literal('ok') })

const auditFilters = {
  /** A colleague, a member, or what they are: staff, member, system. */
  actor: z.union([z.uuid(), z.enum(['staff', 'member', 'system'])]).optional(),
  /** `noun.past-tense`, or a noun with a point for all of its actions. */
  action: z
    .string()
    .max(60)
    .regex(/^[a-z.-]+$/)
    .optional(),
  /** Whose business it is. */
  member: z.uuid().optional(),
  /** What it was done to: `balance_transaction`, `session`, ... */
  subject: z
    .string()
    .max(60)
    .regex(/^[a-z_-]+$/)
    .optional(),
  /** Days, both included, where the brokerage works. */
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
}

const details = z.record(z.string(), z.unknown()).nullable()

/** What an id in the log stands for, as it is called now. */
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

export const listAudit = defineCall({
  method: 'GET',
  path: '/desk/api/audit',
  access: 'staff',
  right: 'audit.read',
  input: z.object({
    ...auditFilters,
    after: pageMark.optional(),
    before: pageMark.optional(),
    limit: z.coerce.number().int().min(1).max(limits.pageSizeMax).default(25),
  }),
  answer: ok.extend({
    entries: z.array(auditEntry),
    /** By the ids in the entries. The version before does not say. */
    names: z.record(z.string(), named).default({}),
    next: z.string().nullable(),
    previous: z.string().nullable(),
  }),
})

/** What the filters of the log offer. */
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

export const exportAudit = defineCall({
  method: 'GET',
  path: '/desk/api/audit/table',
  access: 'staff',
  right: 'audit.read',
  input: z.object(auditFilters),
  answer: ok,
})
