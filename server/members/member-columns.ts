import type { Members } from '../foundation/database/database.generated.ts'

type Column = {
  /** In the page of the member's archive. */
  label: string
  /** Whether members read it of themselves: as a field of its name that may be null, or as the graph says (graph.ts). */
  own?: 'text' | 'otherwise'
  /** Whether they write it themselves among their preferences; the input is that of the call (contract/members/calls.ts). */
  isPreference?: true
  /** What erasing leaves: the value as it is, another one, or what erasure.ts puts together. */
  erased: 'kept' | 'apart' | { to: string | null | readonly string[] }
  /**
   * In a copy for strangers: a word of the few that the program knows, a mark by which rows are found, or SQL for what it is changed
   * to. Numbers and moments stay, and so does what is left out here.
   */
  copy?: 'word' | 'mark' | { sql: string }
}

const empty = { to: null }
const none = { sql: 'null' }

/**
 * The one record of what is kept in a member's own row. What reads, writes, exports, copies or erases a column takes it from here;
 * a test fails for a column of the table that is not here. Every column is exported but the secret ones (handed-out.ts); by
 * which ones somebody is found the trigger of `member_words` says.
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
  /** No hash of anything: no password is its password. */
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
  colour_scheme: { label: 'Colours', own: 'text', isPreference: true, erased: empty, copy: 'word' },
  profile_version: { label: 'Profile version', own: 'otherwise', erased: 'kept' },
  picture_media_id: { label: 'Picture', own: 'otherwise', erased: empty, copy: none },
  referred_by: { label: 'Referred by', erased: 'kept' },
  sort_name: { label: 'Sort name', erased: 'kept' },
  password_changed_at: { label: 'Password changed at', erased: 'kept' },
  details_changed_at: { label: 'Details changed at', erased: 'kept' },
  papers_elsewhere: { label: 'Documents seen elsewhere', erased: 'kept' },
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

/** As `copy-tables.ts` says it of other tables. */
export const membersInCopy = {
  do: 'keep',
  words: namesWith(({ copy }) => copy === 'word').join(' '),
  marks: namesWith(({ copy }) => copy === 'mark').join(' '),
  changed: Object.fromEntries(
    all.flatMap(([name, { copy }]) => (typeof copy === 'object' ? [[name, copy.sql]] : [])),
  ) as Record<string, string>,
} as const
