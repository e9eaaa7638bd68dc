/** Configuration of trading platforms by a brokerage's administrators. */

import { z } from 'zod'
import { defineCall } from '../call.ts'
import { downloadSystems } from '../downloads/downloads.ts'
import { limits } from '../limits.ts'
import { deskTexts } from '../staff/texts.ts'
import { validatorTexts } from '../validators/messages.ts'
import { singleLine } from '../validators/single-line.ts'

const ok = z.object({ status: z.literal('ok') })
const access = { access: 'staff', right: 'workspace.manage' } as const

export const platformKinds = ['mt5', 'mt4'] as const

/** A group's display name and kind of account. Its own name is the platform's. */
export const platformGroup = z.object({
  name: z
    .string()
    .min(1)
    .max(limits.groupCharsMax)
    .refine((name) => name.toLowerCase() !== limits.groupNeverOffered, deskTexts.groupNeverOffered),
  alias: singleLine(limits.nameCharsMax),
  kind: z.enum(['live', 'demo']),
})
const isTwice = (names: string[]) => new Set(names).size !== names.length
const groups = z
  .array(platformGroup)
  .max(limits.listEntriesMax)
  .refine((all) => !isTwice(all.map(({ name }) => name)), deskTexts.listTwice)

/** HTTP and HTTPS only: other schemes such as javascript: would run in the page on a click. */
function isWebLink(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
}

const download = z
  .object({
    /** Null for a new one. */
    _id: z.uuid().nullable(),
    system: z.enum(downloadSystems),
    name: singleLine(limits.nameCharsMax),
    link: z.string().trim().max(limits.linkCharsMax).refine(isWebLink, validatorTexts.link).nullable(),
    file_id: z.uuid().nullable(),
    archived: z.boolean(),
  })
  .refine(({ link, file_id }) => (link === null) !== (file_id === null), {
    error: deskTexts.linkOrFile,
    path: ['link'],
  })

const milliseconds = z
  .int({ error: deskTexts.milliseconds })
  .min(1, deskTexts.milliseconds)
  .max(600_000, deskTexts.milliseconds)

/** The waiting times for an unknown outcome (docs/decisions/0006-credited-exactly-once.md). */
const settling = (range: { min: number; max: number }) =>
  z
    .int({ error: deskTexts.settlingMilliseconds })
    .min(range.min, deskTexts.settlingTooShort)
    .max(range.max, deskTexts.settlingTooLong)

/** The connection of a platform. Fields outside this form keep their value or the adapter's default. */
const connection = z.object({
  base_url: z.string().trim().max(limits.linkCharsMax),
  /** Only for MetaTrader 5; null for others. */
  manager_login: z.string().trim().max(20).nullable(),
  time_zone: z.string().trim().max(64).nullable(),
  time_zone_shift_minutes: z.int().min(-840).max(840).nullable(),
  /** A private certificate authority; null for the public ones that browsers trust. */
  ca_pem: z.string().trim().max(20_000).nullable(),
  server_name: z.string().trim().max(253).nullable(),
  connect_ms: milliseconds,
  read_ms: milliseconds,
  write_ms: milliseconds,
  /** Time after a send before an absence counts. */
  settle_ms: settling(limits.settleMs),
  /** Time between the two look-ups that must both find nothing. */
  look_again_ms: settling(limits.lookAgainMs),
  /** How long one process holds a send exclusively; longer than the timeout of a call. */
  lease_ms: settling(limits.leaseMs),
})

const platformFile = z.object({ _id: z.uuid(), name: z.string(), size_bytes: z.int(), url: z.string() })

const platform = z.object({
  _id: z.uuid(),
  type: z.enum(platformKinds),
  name: z.string(),
  enabled: z.boolean(),
  version: z.int(),
  groups: z.array(platformGroup),
  /** The server name that members select in the platform's client program. The previous version omits it. */
  client_server: z.string().nullable().optional(),
  /** Null until it is configured. The secret is write-only. */
  connection: connection.nullable(),
  /** A simulator of the demo, over plain HTTP. */
  is_simulated: z.boolean(),
  downloads: z.array(
    z.object({
      _id: z.uuid(),
      system: z.enum(downloadSystems),
      name: z.string(),
      link: z.string().nullable(),
      file: platformFile.nullable(),
      archived: z.boolean(),
    }),
  ),
})
export type DeskPlatform = z.output<typeof platform>

export const listPlatforms = defineCall({
  method: 'GET',
  path: '/desk/api/platforms',
  ...access,
  input: z.object({}),
  answer: ok.extend({
    platforms: z.array(
      z.object({
        _id: z.uuid(),
        type: z.enum(platformKinds),
        name: z.string(),
        enabled: z.boolean(),
        is_connected: z.boolean(),
        accounts: z.int(),
        groups: z.int(),
        downloads: z.int(),
        /** The last time account metrics were read from the platform. */
        last_read_at: z.int().nullable(),
        /** The health as the answering process sees it: each process has its own circuit. */
        standing: z.enum(['answering', 'left_in_peace', 'not_asked']),
        last_answer_at: z.int().nullable(),
        /** The last account sync, and the reason why the latest one failed; null if it succeeded. */
        compared_at: z.int().nullable(),
        compare_problem: z.string().nullable(),
        /** Groups, offered or with accounts of members, that our manager login could not read then. The previous version omits it. */
        unread_groups: z.array(z.string()).default([]),
      }),
    ),
  }),
})

const whole = ok.extend({ platform })
const id = z.uuid()
/** The version the form was opened with; a newer one is not overwritten, and the call answers 409. */
const version = z.int().min(0)

export const readPlatform = defineCall({
  method: 'GET',
  path: '/desk/api/platforms/:id',
  ...access,
  input: z.object({ id }),
  answer: whole,
})

export const addPlatform = defineCall({
  method: 'POST',
  path: '/desk/api/platforms/add',
  ...access,
  input: z.object({ type: z.enum(platformKinds), name: singleLine(limits.nameCharsMax) }),
  answer: whole,
})

/** The platform's name for members, and its groups on offer in display order. */
export const changePlatform = defineCall({
  method: 'POST',
  path: '/desk/api/platforms/:id/change',
  ...access,
  input: z.object({
    id,
    version,
    name: singleLine(limits.nameCharsMax),
    groups,
    /** Unchanged if absent. */
    client_server: singleLine(limits.nameCharsMax).nullable().optional(),
  }),
  answer: whole,
})

/** Requires recent authentication. An omitted secret is unchanged, but is never sent to a changed address. */
export const connectPlatform = defineCall({
  method: 'POST',
  path: '/desk/api/platforms/:id/connection',
  ...access,
  input: connection.extend({ id, version, enabled: z.boolean(), secret: z.string().max(512).nullable() }),
  answer: whole,
})

export const platformProblems = [
  'not_connected',
  'unreachable',
  'auth_failed',
  'auth_failing_repeatedly',
  'server_not_proven',
  'not_permitted',
  'clock_mismatch',
  'not_answering',
  'circuit_open',
] as const

/** Tests the saved connection with a call to the platform. */
export const tryPlatform = defineCall({
  method: 'POST',
  path: '/desk/api/platforms/:id/try',
  ...access,
  input: z.object({ id }),
  answer: ok.extend({
    reachable: z.boolean(),
    authenticated: z.boolean(),
    clock_skew_seconds: z.number().nullable(),
    took_ms: z.int(),
    problems: z.array(z.enum(platformProblems)),
  }),
})

/** The groups that exist on the platform, as options. */
export const listPlatformGroups = defineCall({
  method: 'GET',
  path: '/desk/api/platforms/:id/groups',
  ...access,
  input: z.object({ id }),
  answer: ok.extend({ groups: z.array(z.object({ name: z.string(), currency: z.string() })) }),
})

/** The whole list in display order. An omitted download is archived, not deleted. */
export const setDownloads = defineCall({
  method: 'POST',
  path: '/desk/api/platforms/:id/downloads',
  ...access,
  input: z.object({ id, version, downloads: z.array(download).max(limits.listEntriesMax) }),
  answer: whole,
})

/** Multipart: one part named `file`. A download then refers to it. */
export const uploadPlatformFile = defineCall({
  method: 'POST',
  path: '/desk/api/platforms/files',
  ...access,
  input: z.object({}),
  answer: ok.extend({ file: platformFile }),
})
