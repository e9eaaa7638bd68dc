import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Findings, inspectFloors } from './floors.ts'

describe('the layers of the repository', () => {
  const found = inspectFloors(join(import.meta.dirname, '../..'))
  const rules: Record<keyof Findings, string> = {
    circlesOfFiles: 'no files import each other, types included',
    circlesOfDomains: 'no domains of the server import values of each other in a circle',
    outsideOfProduct: 'the product imports no scripts, demo, simulators or tests',
    upward: 'nothing in the server imports from a layer above its own',
    upwardOfWeb: 'nothing in the web imports from a room above its own or from another app',
    callsOfOthers: 'a call is in the folder of the contract that has the name of its domain',
    largeFolders: 'no folder holds more than 40 files side by side, except migrations and decisions',
    longFiles: 'no file written by hand, tests included, has more than 400 lines',
  }
  for (const [rule, sentence] of Object.entries(rules) as [keyof Findings, string][])
    test(sentence, () => assert.deepEqual(found[rule], [], 'docs/decisions/0070-import-floors.md'))
  test('reads all sources', () => assert.ok(found.files > 2_000 && found.arrows > 10_000))
})

/** One file more than a folder may hold. */
const many = (name: string) =>
  Object.fromEntries(Array.from({ length: 41 }, (_, n) => [name.replace('.', `-${n}.`), '']))

describe('findings', () => {
  const files = {
    'contract/money.ts': "import type { Text } from './texts.ts'",
    'contract/texts.ts': "export { add } from './money.ts'",
    'server/start.ts': "import { deposit } from './funding/deposit.ts'",
    'server/foundation/ids.ts': "import type { Deposit } from '../funding/deposit.ts'",
    'server/http/route.ts': "import { session } from '../sessions/session.ts'",
    'server/funding/calls.ts':
      "import { route } from '../http/route.ts'\nimport { list } from '@atrium/contract/funding/desk-calls.ts'\nimport { lock } from '@atrium/contract/members/calls.ts'",
    'contract/funding/desk-calls.ts': '',
    'contract/members/calls.ts': '',
    'server/funding/deposit.ts':
      "import {\n  account,\n  type Account,\n} from '../accounts/account.ts'\nimport { route } from '../http/route.ts'",
    'server/funding/deposit.test.ts': "import '../../tests/fixture.ts'",
    'server/accounts/account.ts':
      "const later = () => import('../sessions/session.ts')\nimport '../../tests/fixture.ts'",
    'server/accounts/queries.ts': "import { type Deposit } from '../funding/deposit.ts'",
    'server/sessions/session.ts': "import { deposit } from '@atrium/server/funding/deposit.ts'",
    'tests/fixture.ts': '',
    'web/api/use-upload.ts': "import { toast } from '../ui/toast.ts'",
    'web/ui/toast.ts': "import type { Report } from '../api/log.ts'\nimport { form } from '../forms/form.ts'",
    'web/api/log.ts': '',
    'web/forms/form.ts': "import { page } from '../portal/page.ts'",
    'web/portal/page.ts': "import type { Menu } from '../desk/menu.ts'\nimport { log } from '../api/log.ts'",
    'web/desk/menu.ts': "import '../../tests/fixture.ts'",
    'web/desk/menu.test.ts': "import '../portal/page.ts'\nimport '../../tests/fixture.ts'",
    'web/api/long.test.ts': '\n'.repeat(401),
    'web/api/whole.test.ts': '\n'.repeat(400),
    'web/api/generated/long.ts': '\n'.repeat(401),
    'web/api/long.generated.ts': '\n'.repeat(401),
    'web/page.ts': "import '@atrium/web/portal/page.ts'",
    ...many('web/ui/part.tsx'),
    ...many('docs/members/page.md'),
    ...many('docs/decisions/decision.md'),
    ...many('server/migrations/migration.sql'),
  }
  let root: string
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'atrium-floors-'))
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), text)
    }
  })
  after(() => rmSync(root, { recursive: true, force: true }))

  test('reports cycles by types, re-exports and dynamic imports, upward imports of server and web, large folders, and long files', () => {
    const { files: _files, arrows: _arrows, ...found } = inspectFloors(root)
    assert.deepEqual(found, {
      circlesOfFiles: [
        'contract/money.ts contract/texts.ts',
        'server/accounts/account.ts server/funding/deposit.ts server/http/route.ts server/sessions/session.ts',
      ],
      circlesOfDomains: ['accounts funding sessions'],
      outsideOfProduct: ['server/accounts/account.ts -> tests/fixture.ts', 'web/desk/menu.ts -> tests/fixture.ts'],
      upward: [
        'server/foundation/ids.ts -> server/funding/deposit.ts',
        'server/funding/deposit.ts -> server/http/route.ts',
      ],
      upwardOfWeb: [
        'web/api/use-upload.ts -> web/ui/toast.ts',
        'web/forms/form.ts -> web/portal/page.ts',
        'web/portal/page.ts -> web/desk/menu.ts',
        'web/ui/toast.ts -> web/forms/form.ts',
      ],
      callsOfOthers: ['server/funding/calls.ts -> contract/members/calls.ts'],
      largeFolders: ['web/ui', 'docs/members'],
      longFiles: ['web/api/long.test.ts'],
    } satisfies Findings)
  })
})
