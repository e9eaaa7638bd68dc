import assert from 'node:assert/strict'
import type { WrittenField } from './contract.ts'
import { makeIntentTag } from './intent-tag.ts'
import { assertFailure, failureOf, newAccount, type PlatformTest, wholeAccount } from './platform-under-test.ts'

/** Opening and changing accounts: one account despite lost answers, and what the platform stored is compared. */
export function testAccounts(platformTest: PlatformTest): void {
  platformTest('opens an account and reads it back', async (harness) => {
    const { login } = await harness.gateway.openAccount(newAccount(harness))
    const account = await harness.gateway.readAccount(login)
    assert.equal(account.group, harness.group)
    assert.equal(account.leverage, 100)
    assert.deepEqual([account.enabled, account.tradingAllowed, account.passwordChangeAllowed], [true, true, true])
    assert.equal(await harness.gateway.checkPassword(login, 'main', 'Qa7#mPz2'), true)
    assert.equal(await harness.gateway.checkPassword(login, 'main', 'Qa7#mPz3'), false)
    assert.equal(await harness.gateway.checkPassword(login, 'investor', 'v9!TxR4kLw2@Zb6'), true)
  })

  platformTest('compares every field that opening writes, and names one stored differently', async (harness) => {
    const { gateway } = harness
    const fields = Object.entries(harness.written) as [WrittenField, { name: string; instead: string }][]
    assert.ok(fields.length >= 11)
    const same = wholeAccount(harness)
    assert.deepEqual(await gateway.compareAccount((await gateway.openAccount(same)).login, same), [])
    for (const [field, { name, instead }] of fields)
      for (const value of field === 'group' ? [instead] : [instead, '']) {
        if (value === '' && ['leverage', 'rights', 'name'].includes(field)) continue
        harness.alter({ [name]: value })
        const wanted = wholeAccount(harness)
        const before = harness.accountsOf(harness.group)
        const { login } = await gateway.openAccount(wanted)
        assert.deepEqual(await gateway.compareAccount(login, wanted), [field], `${field} refused as "${value}"`)
        // It was opened once, regardless of its fields.
        assert.equal(harness.accountsOf(harness.group), before + (field === 'group' ? 0 : 1))
        harness.alter({})
      }
  })

  platformTest('reports no difference for texts cut at a limit or trimmed', async (harness) => {
    const long = (letter: string) => `${letter.repeat(200)}  `
    const texts = { firstName: long('A'), lastName: long('B'), phone: long('1'), country: long('C'), city: long('D') }
    const wanted = { ...wholeAccount(harness), ...texts, state: long('E'), zip: long('2'), address: ` \t${long('F')}` }
    const { login } = await harness.gateway.openAccount(wanted)
    assert.deepEqual(await harness.gateway.compareAccount(login, wanted), [])
    const missing = await failureOf(harness, harness.gateway.compareAccount(harness.missingLogin, wanted))
    assertFailure(missing, { outcome: 'rejected', reasons: ['not_found'] })
  })

  platformTest('updates a person, repeatedly, and leaves omitted fields', async (harness) => {
    const { gateway, missingLogin } = harness
    const opened = wholeAccount(harness)
    const { login } = await gateway.openAccount(opened)
    const person = {
      firstName: 'Grace',
      lastName: 'Othername',
      email: 'grace.other@example.test',
      phone: '+356 2100 1111',
    }
    assert.ok((await gateway.compareAccount(login, person)).includes('email'))
    for (const _again of [1, 2]) await gateway.changePerson(login, person)
    assert.deepEqual(await gateway.compareAccount(login, person), [])
    assert.deepEqual(await gateway.compareAccount(login, { ...opened, ...person }), [])
    harness.alter({ [harness.written.email?.name ?? '']: 'ada@example.test' })
    await gateway.changePerson(login, person)
    assert.deepEqual(await gateway.compareAccount(login, person), ['email'])
    harness.alter({})
    const missing = await failureOf(harness, gateway.changePerson(missingLogin, person))
    assertFailure(missing, { outcome: 'rejected', reasons: ['not_found'] })
  })

  platformTest('reports a flag that the platform did not change, and names it in the log', async (harness) => {
    harness.alter(harness.keepsTrading)
    const refused = await failureOf(harness, harness.gateway.setAccess(harness.login, { tradingAllowed: false }))
    assertFailure(refused, { outcome: 'rejected', reasons: ['not_permitted'] })
    assert.match(harness.logLines.join('\n'), /platform\.account-differs/)
  })

  platformTest('finds an account by its tag after a lost answer, and there is one', async (harness) => {
    const wanted = newAccount(harness)
    const before = harness.accountsOf(harness.group)
    harness.breakNext('openAccount', 'execute-then-drop')
    assertFailure(await failureOf(harness, harness.gateway.openAccount(wanted)), { outcome: 'unknown', sent: true })
    const login = await harness.gateway.findAccountByTag(wanted.tag, { group: harness.group })
    assert.notEqual(login, null)
    assert.equal(harness.accountsOf(harness.group), before + 1)
    assert.equal(await harness.gateway.findAccountByTag(makeIntentTag(), { group: harness.group }), null)
    assert.equal(
      await harness.gateway.findAccountByTag(wanted.tag, { group: harness.group, afterLogin: login ?? '' }),
      null,
    )
  })

  platformTest(
    'an account with a login of ours, the answer lost: the second try leads to the same account',
    async (harness) => {
      const first = await harness.gateway.openAccount(newAccount(harness))
      const wanted = { ...newAccount(harness), login: String(BigInt(first.login) + 5n) }
      harness.breakNext('openAccount', 'execute-then-drop')
      await failureOf(harness, harness.gateway.openAccount(wanted))
      const again = harness.gateway.openAccount(wanted)
      if (harness.remembersCalls) assert.deepEqual(await again, { login: wanted.login })
      else assertFailure(await failureOf(harness, again), { outcome: 'rejected', reasons: ['already_exists'] })
      assert.equal(await harness.gateway.findAccountByTag(wanted.tag, { group: harness.group }), wanted.login)
    },
  )

  platformTest(
    'a password set and the answer lost is resolved by a check; a weak one is a field error',
    async (harness) => {
      const { login } = await harness.gateway.openAccount(newAccount(harness))
      harness.breakNext('setPassword', 'execute-then-drop')
      const lost = await failureOf(harness, harness.gateway.setPassword(login, 'main', 'Nw5%qLz8'))
      assertFailure(lost, { outcome: 'unknown', sent: true })
      assert.equal(await harness.gateway.checkPassword(login, 'main', 'Nw5%qLz8'), true)
      for (const password of harness.weakPasswords) {
        const weak = await failureOf(harness, harness.gateway.setPassword(login, 'main', password))
        assertFailure(weak, { outcome: 'rejected', reasons: ['weak_password'] })
      }
      assert.equal(await harness.gateway.checkPassword(login, 'main', 'Nw5%qLz8'), true)
    },
  )

  platformTest('changes one flag of an account, leaves the others, and repeating it is a no-op', async (harness) => {
    const { gateway, login } = harness
    const flags = async () => {
      const { enabled, tradingAllowed, passwordChangeAllowed } = await gateway.readAccount(login)
      return [enabled, tradingAllowed, passwordChangeAllowed]
    }
    assert.deepEqual(await flags(), [true, true, true])
    for (const again of [1, 2]) {
      await gateway.setAccess(login, { tradingAllowed: false })
      assert.deepEqual(await flags(), [true, false, true], `time ${again}`)
    }
    await gateway.setAccess(login, { passwordChangeAllowed: false, tradingAllowed: true })
    assert.deepEqual(await flags(), [true, true, false])
    await gateway.setAccess(login, { enabled: false })
    assert.deepEqual(await flags(), [false, true, false])
    await gateway.setAccess(login, { enabled: true, passwordChangeAllowed: true })
    assert.deepEqual(await flags(), [true, true, true])
  })

  platformTest('refuses flags for an unknown account and an empty change', async (harness) => {
    const { gateway, login, missingLogin } = harness
    const missing = await failureOf(harness, gateway.setAccess(missingLogin, { enabled: false }))
    assertFailure(missing, { outcome: 'rejected', reasons: ['not_found'] })
    const empty = await failureOf(harness, gateway.setAccess(login, {}))
    assertFailure(empty, { outcome: 'rejected', reasons: ['invalid_input'], sent: false })
  })
}
