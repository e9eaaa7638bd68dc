import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

/** Keys that a page chooses itself or that no answer sends; every other record must expect a key of a later version. */
const ownKeys = [
  ...[
    'MetricsRange',
    "Exclude<AccountOrder, 'newest'>",
    'PasswordKind',
    'BankDetail',
    "Exclude<Period, 'all'>",
    'Period',
  ],
  ...[
    'Operator',
    'FieldType',
    'ChangedPart',
    'keyof Written',
    'Reach',
    'keyof Values',
    'ChosenTime',
    'FixedTime',
    'Rule',
  ],
  ...['(typeof secondApprovalRules)[number]', 'TaxonomyEntity', 'SetupStep', 'Question', 'Asked', 'Method', 'Field'],
  ...['keyof Complaint', 'TicketTab', 'Part', 'ChoosableGroup', 'DifferenceDecision', 'PredefinedType', 'Payment'],
  ...['DownloadSystem', 'Setting'],
]
const declared = /^(?:export )?const (\w+): Record<\s*((?:\([^)]*\)|[\w.'[\]]|<[^>]*>| )+?),[^=]*? =\s*(\w*)/gm

test('labels by a value from an answer have a text for a value of a later version', () => {
  const places = globSync('{features,portal,desk,viewer,ui}/**/*.{ts,tsx}', { cwd: import.meta.dirname })
  const found: string[] = []
  const bare: string[] = []
  for (const place of places.filter((each) => !each.includes('.test.')))
    for (const [, name, key = '', value] of readFileSync(`${import.meta.dirname}/${place}`, 'utf8').matchAll(
      declared,
    )) {
      found.push(`${place} ${name}`)
      if (value !== 'knownOr' && key !== 'string' && !ownKeys.includes(key)) bare.push(`${place} ${name} by ${key}`)
    }
  assert.ok(found.length > 60, `only ${found.length} were found`)
  assert.deepEqual(bare, [])
})
