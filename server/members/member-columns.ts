import type { Members } from '../foundation/database/database.generated.ts'

type Column = {
  /** Label on the page of the member's archive. */
  label: string
  /** Whether members may read it about themselves: as a nullable field of the same name, or as graph.ts defines. */
  own?: 'text' | 'otherwise'
  /** Whether members write it among their preferences; the call's input defines it (contract/members/calls.ts). */
  isPreference?: true
  /** What an erasure leaves: the value, a fixed one, or one that erasure.ts builds. */
  erased: 'kept' | 'apart' | { to: string | null | readonly string[] }
  /**
   * In an anonymised copy: one of a few fixed words, an identifier by which rows are found, or SQL for a replacement. Numbers, times and
   * columns without this entry stay unchanged.
   */
  copy?: 'word' | 'mark' | { sql: string }
}

const empty = { to: null }
const none = { sql: 'null' }

/**
 * The only list of the columns of a member's row: all code that reads, writes, exports, copies or erases a column uses
 * it, and a test fails for a column missing here. Every column is exported except secrets (data-export.ts); the trigger
 * of `member_words` lists those that are searched.
 */
export const memberColumns = {
  workspace_id: { label: 'Workspace', erased: 'kept' },
  member_id: { label: 'Id', own: 'otherwise', erased: 'kept' },
  customer_number: { label: 'Customer number', own: 'otherwise', erased: 'kept', copy: 'mark' },
  title: { label: 'Title', own: 'text', erased: empty, copy: none },
  first_name: { label: 'First name', own: 'otherwise', erased: { to: 'Erased' }, copy: { sql: `'Somebody'` } },
  last_name: { label: 'Last name', own: 'otherwise', erased: { to: 'member' }, copy: { sql: 'customer_number' } },
  email: { label: 'Email', own: 'otherwise', erased: 'apart', copy: { sql: `member_id || '@copy.invalid'` } },
  emails: { label: 'Emails', own: 'otherwise', erased: { to: [] }, copy: { sql: `'{}'` } },
  phones: { label: 'Phones', own: 'otherwise', erased: { to: [] }, copy: { sql: `'{}'` } },
  /** Not a valid hash, so that no password matches. */
  password_hash: { label: 'Password', erased: { to: 'erased' }, copy: { sql: `'none'` } },
  type: { label: 'Type', own: 'otherwise', erased: 'kept', copy: 'word' },
  status: { label: 'Status', erased: { to: 'erased' }, copy: 'word' },
  documents_status: { label: 'Documents status', own: 'otherwise', erased: 'kept', copy: 'word' },
  kyc_category_id: { label: 'Category', own: 'otherwise', erased: 'kept' },
  permissions: { label: 'Permissions', erased: { to: [] }, copy: 'word' },
  created_at: { label: 'Created at', erased: 'kept' },
  text_language: { label: 'Language', own: 'text', isPreference: true, erased: empty, copy: 'word' },
  language: {
    label: 'Format of numbers and dates',
    ...({ own: 'text', isPreference: true } as const),
    ...({ erased: empty, copy: 'word' } as const),
  },
  time_zone: { label: 'Time zone', own: 'text', isPreference: true, erased: empty, copy: 'word' },
  colour_scheme: { label: 'Appearance', own: 'text', isPreference: true, erased: empty, copy: 'word' },
  profile_version: { label: 'Profile version', own: 'otherwise', erased: 'kept' },
  picture_media_id: { label: 'Picture', own: 'otherwise', erased: empty, copy: none },
  referred_by: { label: 'Referred by', erased: 'kept' },
  sort_name: { label: 'Sort name', erased: 'kept' },
  password_changed_at: { label: 'Password changed at', erased: 'kept' },
  details_changed_at: { label: 'Details changed at', erased: 'kept' },
  papers_elsewhere: { label: 'Verified outside the portal', erased: 'kept' },
  papers_gone_at: { label: 'Documents removed at', erased: 'kept' },
  erased_at: { label: 'Erased at', erased: 'kept' },
} as const satisfies Record<keyof Members, Column>

type Columns = typeof memberColumns
type NamesWith<Shape> = { [Name in keyof Columns]: Columns[Name] extends Shape ? Name : never }[keyof Columns]

const all = Object.entries(memberColumns) as [keyof Columns, Column][]
const namesWith = <Name extends keyof Columns>(meets: (column: Column) => boolean): Name[] =>
  all.filter(([, column]) => meets(column)).map(([name]) => name as Name)

export const ownColumns = namesWith<NamesWith<{ own: string }>>(({ own }) => own !== undefined)
export const ownTexts = namesWith<NamesWith<{ own: 'text' }>>(({ own }) => own === 'text')
export const preferenceColumns = namesWith<NamesWith<{ isPreference: true }>>(
  ({ isPreference }) => isPreference === true,
)

export const erasedMember = Object.fromEntries(
  all.flatMap(([name, { erased }]) => (typeof erased === 'string' ? [] : [[name, erased.to]])),
)

/** Same form as the entries of `copy-tables.ts` for other tables. */
export const membersInCopy = {
  do: 'keep',
  words: namesWith(({ copy }) => copy === 'word').join(' '),
  marks: namesWith(({ copy }) => copy === 'mark').join(' '),
  changed: Object.fromEntries(
    all.flatMap(([name, { copy }]) => (typeof copy === 'object' ? [[name, copy.sql]] : [])),
  ) as Record<string, string>,
} as const
