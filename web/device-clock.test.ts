import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'

const root = import.meta.dirname

/** They read the clock of the device for a duration of this page, for its log, or to compare it with the server's. */
const ownTime = [
  'api/api-error.ts',
  'api/log.ts',
  'api/transport.ts',
  'features/accounts/live-metrics.ts',
  'features/documents/use-countdown.ts',
]

it('times of the server are compared with its clock, since that of the device may be set wrong', () => {
  const files = globSync('{api,desk,features,forms,portal,ui,viewer}/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !file.includes('.test.'),
  )
  const reading = files.filter((file) => /\bDate\.now\(\)|new Date\(\)/.test(readFileSync(join(root, file), 'utf8')))
  assert.deepEqual(reading.sort(), ownTime)
})
