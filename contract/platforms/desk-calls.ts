import { z } from 'zod'
import { defineCall } from '../call.ts'
import { downloadSystems } from '../downloads/downloads.ts'
import { limits } from '../limits.ts'
import { plainLine } from '../staff/lists.ts'
import { deskTexts } from '../staff/texts.ts'
import { validatorTexts } from '../validators/messages.ts'

/** Trading platforms as a brokerage's administrators see and change them. */
const ok = z.object({ status: z.literal('ok') })
const access = { access: 'staff', right: 'workspace.manage' } as const

export const platformKinds = ['mt5', 'mt4'] as const

/** What a group is shown as, and which kind of account is opened in it. Its own name is the platform's. */
export const platformGroup = z.object({
  name: z
    .string()
    .min(1)
    .max(limits.groupCharsMax)
    .refine((name) => name.toLowerCase() !== limits.groupNeverOffered, deskTexts.groupNeverOffered),
  alias: plainLine(limits.nameCharsMax),
  kind: z.enum(['live', 'demo']),
})
const isTwice = (names: string[]) => new Set(names).size !== names.length
const groups = z
  .array(platformGroup)
  .max(limits.listEntriesMax)
  .refine((all) => !isTwice(all.map(({ name }) => name)), deskTexts.listTwice)

/** Http and https only: what else an address may begin with runs in the page that it is clicked on. */
function isWebLink(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
}

const download = z
  .object({
    /** Null for one that is new. */
    _id: z.uuid().nullable(),
    system: z.enum(downloadSystems),
    name: plainLine(limits.nameCharsMax),
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

/** How long an outcome that nobody knows may take to settle (docs/decisions/0006-credited-exactly-once.md). */
const settling = (range: { min: number; max: number }) =>
  z
    .int({ error: deskTexts.settlingMilliseconds })
    .min(range.min, deskTexts.settlingTooShort)
    .max(range.max, deskTexts.settlingTooLong)

/** How the platform is reached. What is not asked for here keeps the value that it has or the adapter's own. */
const connection = z.object({
  base_url: z.string().trim().max(limits.linkCharsMax),
  /** Of MetaTrader 5; null on others. */
  manager_login: z.string().trim().max(20).nullable(),
  time_zone: z.string().trim().max(64).nullable(),
  time_zone_shift_minutes: z.int().min(-840).max(840).nullable(),
  /** For a server whose certificate nobody else signed; null: as browsers trust. */
  ca_pem: z.string().trim().max(20_000).nullable(),
  server_name: z.string().trim().max(253).nullable(),
  connect_ms: milliseconds,
  read_ms: milliseconds,
  write_ms: milliseconds,
  /** After a send, before an absence counts. */
  settle_ms: settling(limits.settleMs),
  /** Between the two looks that must both find nothing. */
  look_again_ms: settling(limits.lookAgainMs),
  /** How long one process has a send for itself. Longer than a call may take. */
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
  /** What members choose as the server in the platform's program. A process of the version before does not tell it. */
  client_server: z.string().nullable().optional(),
  /** Null until somebody says how it is reached. The secret goes in and never comes out. */
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
        /** When figures of an account were read from it last. */
        last_read_at: z.int().nullable(),
        /** As the process has it that answers: each leaves a silent platform in peace by itself. */
        standing: z.enum(['answering', 'left_in_peace', 'not_asked']),
        last_answer_at: z.int().nullable(),
        /** When its list of accounts was held against ours, and why it could not be the last time; null: it could. */
        compared_at: z.int().nullable(),
        compare_problem: z.string().nullable(),
      }),
    ),
  }),
})

const whole = ok.extend({ platform })
const id = z.uuid()
/** The one that the form began with: what somebody else has saved since is not overwritten, but answered 409. */
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
  input: z.object({ type: z.enum(platformKinds), name: plainLine(limits.nameCharsMax) }),
  answer: whole,
})

/** Its name for members, and the groups that they may choose from, in this order. */
export const changePlatform = defineCall({
  method: 'POST',
  path: '/desk/api/platforms/:id/change',
  ...access,
  input: z.object({
    id,
    version,
    name: plainLine(limits.nameCharsMax),
    groups,
    /** Left out, it stays as it is. */
    client_server: plainLine(limits.nameCharsMax).nullable().optional(),
  }),
  answer: whole,
})

/** Asks for a fresh proof. Without a secret the one that is kept goes on, but never to another address. */
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

/** Asks the platform, with what is saved, whether it answers. */
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

/** The groups that the platform itself knows, for picking from. */
export const listPlatformGroups = defineCall({
  method: 'GET',
  path: '/desk/api/platforms/:id/groups',
  ...access,
  input: z.object({ id }),
  answer: ok.extend({ groups: z.array(z.object({ name: z.string(), currency: z.string() })) }),
})

/** The whole list in its order. One that was saved is archived, not removed. */
export const setDownloads = defineCall({
  method: 'POST',
  path: '/desk/api/platforms/:id/downloads',
  ...access,
  input: z.object({ id, version, downloads: z.array(download).max(limits.listEntriesMax) }),
  answer: whole,
})

/** Multipart: one part named `file`. A download then names it. */
export const uploadPlatformFile = defineCall({
  method: 'POST',
  path: '/desk/api/platforms/files',
  ...access,
  input: z.object({}),
  answer: ok.extend({ file: platformFile }),
})
