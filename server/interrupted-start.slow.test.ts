// spec: OP operation
import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually, startChildServer } from '../tests/doubles/child-server.ts'
import { findRunningPostgres } from './postgres/embedded-postgres.ts'

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`${signal} during the start ends it with success, and leaves no database running`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'atrium-interrupted-start-'))
    chmodSync(folder, 0o711) // When run as root, the user of PostgreSQL needs access.
    const place = join(folder, 'postgres')
    try {
      const server = await startChildServer({ dataDirectory: folder, isDoomed: true })
      await eventually('its database is up', async () => findRunningPostgres(place) !== undefined)
      server.child.kill(signal)
      await server.exited
      assert.equal(server.child.exitCode, 0)
      assert.equal(findRunningPostgres(place), undefined)
      assert.equal(existsSync(join(place, 'lock-holder')), false)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
