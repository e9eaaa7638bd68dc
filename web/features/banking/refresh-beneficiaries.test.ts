import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { QueryClient } from '@tanstack/react-query'
import { refreshBeneficiaries } from './refresh-beneficiaries.ts'

const features = join(import.meta.dirname, '..')
/** The keys of all queries that read beneficiaries, by the names of their documents. */
const documents = 'bankAccounts|otherAccounts|beneficiaries|transferBanks|ownBankAccounts|formBanks'
const reading = new RegExp(
  String.raw`queryKey: (\[(?:'[\w-]+'(?:, )?)+\])(?:(?!queryKey)[\s\S]){0,300}?graph\((?:${documents})Query\b`,
  'g',
)

it('a changed beneficiary is read again by every list that shows it', async () => {
  const keys = globSync('{banking,forms,funding,profile}/**/*.ts', { cwd: features }).flatMap((path) =>
    [...readFileSync(join(features, path), 'utf8').matchAll(reading)].map(([, key = '']) =>
      JSON.parse(key.replaceAll("'", '"')),
    ),
  )
  assert.ok(keys.length >= 5, `${keys.length} found`)
  const client = new QueryClient()
  for (const key of keys) client.setQueryData(key, [])
  await refreshBeneficiaries(client)
  for (const key of keys) assert.equal(client.getQueryState(key)?.isInvalidated, true, `${key}`)
  client.clear()
})
