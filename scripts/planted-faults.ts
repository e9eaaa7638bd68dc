/**
 * Faults that somebody could write on a tired evening, each with the tests that must notice. `find` stands exactly once in
 * its file, so that a fault whose place has moved on fails loudly instead of planting nothing.
 */
export type PlantedFault = {
  name: string
  file: string
  find: string
  replace: string
  tests: string[]
  /** The checks of reliability and security that the fault belongs to. */
  guards: string
}

const crediting = ['server/funding/crediting.test.ts']
const deposit = ['server/funding/deposit.test.ts']
const decision = ['server/funding/decision.test.ts']
const tenancy = ['server/foundation/tenancy.test.ts']
const sessions = ['server/sessions/calls.test.ts']
const graph = ['server/graph/endpoint.test.ts', 'server/graph/limits.test.ts', 'server/funding/graph.test.ts']
const mt5 = ['server/trading-platforms/mt5/mt5.contract.test.ts', 'server/trading-platforms/mt5/session.test.ts']

export const plantedFaults: PlantedFault[] = [
  {
    name: 'the row of a deposit is not locked while staff decide',
    file: 'server/funding/transaction.ts',
    find: '    .forUpdate()\n',
    replace: '',
    tests: decision,
    guards: 'M11',
  },
  {
    name: 'an intent is not locked while it is taken',
    file: 'server/funding/intent.ts',
    find: "    .where('intent_id', '=', intentId)\n    .forUpdate()\n",
    replace: "    .where('intent_id', '=', intentId)\n",
    tests: crediting,
    guards: 'M1',
  },
  {
    name: 'the tag is not looked up before an unknown credit is sent again',
    file: 'server/funding/crediting.ts',
    find: '  const receipts = await link.gateway.findBalanceByTag(intent.platform_login, intent.tag, since)\n  const judged',
    replace: '  const receipts: Awaited<ReturnType<typeof link.gateway.findBalanceByTag>> = []\n  const judged',
    tests: crediting,
    guards: 'M8',
  },
  {
    name: 'absence is believed before the settling time is over',
    file: 'server/funding/crediting.ts',
    find: 'const settledAt = (current.last_sent_at ?? current.created_at).getTime() + timing.settleMs',
    replace: 'const settledAt = 0',
    tests: crediting,
    guards: 'M8',
  },
  {
    name: 'a process that slept through its lease speaks about the send of another',
    file: 'server/funding/crediting.ts',
    find: 'current && current.attempt === intent.attempt && states',
    replace: 'current && states',
    tests: ['server/funding/slow-process.test.ts'],
    guards: 'M1',
  },
  {
    name: 'a credit is sent after its lease was taken over',
    file: 'server/funding/intent.ts',
    find: "if (current?.state !== 'sending' || current.attempt !== intent.attempt) return false",
    replace: 'if (current === null) return false',
    tests: ['server/funding/slow-process.test.ts'],
    guards: 'M8',
  },
  {
    name: 'an unknown outcome is taken for a refusal',
    file: 'server/funding/crediting.ts',
    find: "if (failure.outcome === 'unknown') return",
    replace: "if (failure.outcome === ('never' as string)) return",
    tests: crediting,
    guards: 'M8',
  },
  {
    name: 'of several deals with the tag the first one is taken',
    file: 'server/trading-platforms/intent-tag.ts',
    find: "if (others.length > 0) return { verdict: 'incident', why: 'several' }",
    replace: 'if (others.length < 0) return { verdict: "absent" }',
    tests: crediting,
    guards: 'M9',
  },
  {
    name: 'a lease that ran out is taken for a send that never was',
    file: 'server/funding/intent.ts',
    find: "if (state === 'ready' && isDue) return leaseSend(tx, system, intent, timing)",
    replace:
      "if ((state === 'ready' || state === 'sending') && isDue) return { do: 'send', intent: { ...intent, attempt: 1 } }",
    tests: crediting,
    guards: 'M1',
  },
  {
    name: 'a deposit that is being checked can be approved again',
    file: 'server/funding/decision.ts',
    find: "if (row.state !== 'pending')",
    replace: "if (row.state !== 'pending' && row.state !== 'checking')",
    tests: decision,
    guards: 'M11',
  },
  {
    name: 'every role decides on money',
    file: 'server/foundation/actor.ts',
    find: 'if (!rolesThatDecideMoney.includes(actor.role))',
    replace: 'if (rolesThatDecideMoney.includes("nobody"))',
    tests: decision,
    guards: 'T4',
  },
  {
    name: 'a decision leaves no audit entry',
    file: 'server/funding/transaction.ts',
    find: '  await audit(tx, actor, {\n    action: move.event,',
    replace: '  if (move.to === "cancelled") await audit(tx, actor, {\n    action: move.event,',
    tests: decision,
    guards: 'P3',
  },
  {
    name: 'the unique token of a form is ignored',
    file: 'server/funding/deposit.ts',
    find: '    if (claim.earlier) return claim.earlier // The same form sent twice is one deposit.\n',
    replace: '    if (claim.earlier) claim.earlier = null as never\n',
    tests: deposit,
    guards: 'M12',
  },
  {
    name: 'the same token is good for another body',
    file: 'server/sessions/unique-token.ts',
    find: 'if (!bodyHash.equals(row.body_hash))',
    replace: 'if (bodyHash.length === 0)',
    tests: deposit,
    guards: 'M12',
  },
  {
    name: 'a token never grows old',
    file: 'server/sessions/unique-token.ts',
    find: "    .where('expires_at', '>', member.ground.clock.now())\n",
    replace: '',
    tests: deposit,
    guards: 'M12',
  },
  {
    name: 'an amount may have more decimals than its currency',
    file: 'contract/money.ts',
    find: "if (!value.eq(value.round(currencyDecimals(currency), Big.roundDown))) return { problem: 'too_precise' }",
    replace: "if (value.lt(0)) return { problem: 'too_precise' }",
    tests: [...deposit, 'contract/money.test.ts'],
    guards: 'M13',
  },
  {
    name: 'an amount is read as a float',
    file: 'contract/money.ts',
    find: "  if (!plainDecimal.test(text)) return { problem: 'malformed' }\n  const value = new Big(text)",
    replace: "  if (Number.isNaN(Number(text))) return { problem: 'malformed' }\n  const value = new Big(Number(text))",
    tests: [...deposit, 'contract/money.test.ts'],
    guards: 'M13',
  },
  {
    name: 'demo accounts take deposits of real money',
    file: 'server/funding/deposit.ts',
    find: '  else if (!account.live_account) errors.trading_account = [texts.accountDemo]\n',
    replace: '',
    tests: deposit,
    guards: 'M14',
  },
  {
    name: 'what the client says about the state is believed',
    file: 'server/funding/deposit.ts',
    find: "      payment_method: 'manual',",
    replace: "      payment_method: input.payment_method ?? 'manual',",
    tests: deposit,
    guards: 'T3',
  },
  {
    name: 'a table without its policy',
    file: 'server/migrations/20261121-0940-funding.sql',
    find: "select protect_table('balance_transactions', 'own');",
    replace: 'grant select, insert, update, delete on balance_transactions to atrium_program;',
    tests: tenancy,
    guards: 'T5',
  },
  {
    name: 'row security that its owner passes by',
    file: 'server/migrations/20261121-0900-tenancy.sql',
    find: "  execute format('alter table %s force row level security', target);\n",
    replace: '',
    tests: tenancy,
    guards: 'T5',
  },
  {
    name: 'a policy that forgets the member',
    file: 'server/migrations/20261121-0900-tenancy.sql',
    find: "(scope_actor() = ''member'' and member_id = scope_member())",
    replace: "scope_actor() = ''member''",
    tests: tenancy,
    guards: 'T5',
  },
  {
    name: 'a policy that forgets the workspace',
    file: 'server/migrations/20261121-0900-tenancy.sql',
    find: "  here constant text := 'workspace_id = scope_workspace()';",
    replace: "  here constant text := 'scope_workspace() is not null';",
    tests: tenancy,
    guards: 'T5',
  },
  {
    name: 'scope outlives its transaction',
    file: 'server/foundation/database.ts',
    find: 'member}, true)`',
    replace: 'member}, false)`',
    tests: ['server/foundation/scope.test.ts'],
    guards: 'T6',
  },
  {
    name: 'an amount may be edited after it was agreed',
    file: 'server/migrations/20261121-0940-funding.sql',
    find: 'create trigger guard_balance_transaction before update on balance_transactions\n  for each row execute function guard_balance_transaction();',
    replace: '',
    tests: tenancy,
    guards: 'M7, T4',
  },
  {
    name: 'guesses are not counted',
    file: 'server/foundation/rate-limit.ts',
    find: '  if (row.tries <= limit.triesMax) return\n',
    replace: '  if (row.tries > 0) return\n',
    tests: sessions,
    guards: 'A1',
  },
  {
    name: 'polls keep a session alive',
    file: 'server/sessions/session.ts',
    find: "    .where('last_seen_at', '>', new Date(now.getTime() - config.sessionIdleMs))\n",
    replace: '',
    tests: sessions,
    guards: 'A7',
  },
  {
    name: 'a session outlives its logout',
    file: 'server/sessions/session.ts',
    find: "    .where(proof.of === 'calls' ? 'token_hash' : 'file_token_hash', '=', hashToken(proof.token))\n    .where('ended_at', 'is', null)\n",
    replace: "    .where(proof.of === 'calls' ? 'token_hash' : 'file_token_hash', '=', hashToken(proof.token))\n",
    tests: sessions,
    guards: 'A6',
  },
  {
    name: 'a character that cannot be stored reaches the database',
    file: 'server/foundation/door.ts',
    find: '  if (holdsNul(raw))',
    replace: "  if (raw === ('' as unknown))",
    tests: ['server/malformed.test.ts'],
    guards: 'U7',
  },
  {
    name: 'the trading server need not prove that it knows the password',
    file: 'server/trading-platforms/mt5/session.ts',
    find: "if (!provesKey(key, ours, answered.record.text('cli_rand_answer'))) throw",
    replace: 'if (ours.length === 0) throw',
    tests: mt5,
    guards: 'M8',
  },
  {
    name: 'a file is believed by its name',
    file: 'server/files/inspect.ts',
    find: "  return extension === 'csv' ? found === undefined : (familyOf[extension] ?? []).includes(found?.ext ?? '')",
    replace: '  return found !== null',
    tests: ['server/files/inspect.test.ts'],
    guards: 'U3',
  },
  {
    name: 'a closed scope answers in the query endpoint',
    file: 'server/graph/field-scopes.ts',
    find: '      authorizeAny(context.member, scopes)\n',
    replace: '',
    tests: graph,
    guards: 'T8',
  },
  {
    name: 'a document of any size is run',
    file: 'server/graph.ts',
    find: '  if (broken) return refuseLimit(broken)\n',
    replace: '',
    tests: graph,
    guards: 'G2, G3',
  },
  {
    name: 'the schema tells itself to everybody in production',
    file: 'server/graph.ts',
    find: 'production ? [...specifiedRules, NoSchemaIntrospectionCustomRule] : specifiedRules',
    replace: 'specifiedRules',
    tests: graph,
    guards: 'G4',
  },
  {
    name: 'the query endpoint answers without a session',
    file: 'server/graph.ts',
    find: "        if (!member) refuse('unauthenticated', 'Please sign in.')\n",
    replace: '        if (!member) return reply.send({ data: null })\n',
    tests: graph,
    guards: 'G5',
  },
  {
    name: 'an upload may be as large as it likes',
    file: 'contract/files.ts',
    find: "receipt: { extensions: ['png', 'jpg', 'jpeg', 'pdf'], sizeBytesMax: limits.receiptSizeKbMax * bytesPerKb },",
    replace:
      "receipt: { extensions: ['png', 'jpg', 'jpeg', 'pdf'], sizeBytesMax: limits.documentSizeKbMax * bytesPerKb },",
    tests: ['server/files/calls.test.ts'],
    guards: 'U3',
  },
]
