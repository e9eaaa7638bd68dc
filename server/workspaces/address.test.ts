import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { productionMode } from '../../tests/fixtures/context.ts'
import { readConfig } from '../config.ts'
import { workspaceAddress } from './address.ts'

const folder = mkdtempSync(join(tmpdir(), 'atrium-address-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const main = { subdomain: 'harbour', isDefault: true }
const other = { subdomain: 'north', isDefault: false }
const production = { ...productionMode, DATABASE_URL: 'postgres:///atrium', ATRIUM_DOMAIN: 'example.com' }

describe('the address of a brokerage', () => {
  for (const [name, environment, ofMain, ofOther] of [
    ['its own port', { PORT: '8090' }, 'http://localhost:8090', 'http://north.localhost:8090'],
    ['in production', production, 'https://example.com', 'https://north.example.com'],
    [
      'with a place for the brokerage',
      { PUBLIC_URL: 'https://{workspace}.portal.test/' },
      'https://harbour.portal.test',
      'https://north.portal.test',
    ],
    [
      'as one address',
      { PUBLIC_URL: 'https://portal.test:444' },
      'https://portal.test:444',
      'https://north.portal.test:444',
    ],
  ] as const) {
    test(`follows the configuration: ${name}`, () => {
      const config = readConfig({ ATRIUM_DATA: folder, ...environment })
      assert.deepEqual([workspaceAddress(config, main), workspaceAddress(config, other)], [ofMain, ofOther])
    })
  }

  test('is refused when malformed, with a path, or with plain HTTP in production', () => {
    for (const PUBLIC_URL of [
      'portal.test',
      'https://portal.test/app',
      'javascript:alert(1)',
      'https://a b',
      'https://',
    ]) {
      assert.throws(() => readConfig({ ATRIUM_DATA: folder, PUBLIC_URL }), /PUBLIC_URL/, PUBLIC_URL)
    }
    assert.throws(() => readConfig({ ...production, ATRIUM_DATA: folder, PUBLIC_URL: 'http://portal.test' }), /https/)
    assert.throws(() => readConfig({ ATRIUM_DATA: folder, SMTP_URL: 'http://mail.test' }), /SMTP_URL/)
  })
})
