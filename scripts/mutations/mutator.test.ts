import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apply, changesIn, isParsed } from './mutator.ts'

/** What each change of a text does: `removed text -> text instead`. */
const changed = (text: string): string[] =>
  changesIn(text).map(({ what, from, to, put }) => {
    const removed = text.slice(from, to).replaceAll(/\s+/g, ' ').trim()
    return `${what}: ${removed}${put && ` -> ${put}`}`
  })

test('removes a guard whole, over several lines and as the last of a chain', () => {
  const text = `if (isOver) {
  throw new Error('over')
}
if (first) one = 1
else if (second) two = 2
`
  assert.deepEqual(changed(text), [
    "without its guard: if (isOver) { throw new Error('over') } -> ;",
    'with true as its condition: first -> true',
    'with false as its condition: first -> false',
    'without its guard: if (second) two = 2 -> ;',
  ])
  const [guard] = changesIn(text)
  assert.equal(guard && apply(text, guard), `;\n${text.split('\n').slice(3).join('\n')}`)
})

test('removes a call, its await and a lock, and leaves the log alone', () => {
  const text = `await lockAccount(tx, id)
refuseOthers(id)
await audit(tx)
context.log.info('done')
for (const each of all) await drop(each)
if (isLast) await finish()
`
  assert.deepEqual(changed(text), [
    'without its lock: await lockAccount(tx, id) -> ;',
    'without its await: await',
    'without its call: refuseOthers(id) -> ;',
    'without its call: await audit(tx) -> ;',
    'without its await: await',
    'without its call: await drop(each) -> ;',
    'without its await: await',
    'without its guard: if (isLast) await finish() -> ;',
    'without its await: await',
  ])
})

test('removes each condition and lock of a query', () => {
  const text = `const rows = tx
  .selectFrom('rows')
  .innerJoin('others', (join) => join.onRef('a', '=', 'b').on('kind', '=', 'c'))
  .where('workspace_id', '=', 'w')
  .where((is) => is.and([is('a', '=', 'b'), is.or([])]))
  .forUpdate()
const more = sql\`select from rows
  where workspace_id = \${id}
    and state = 'open'
    and exists (
      select 1)
  for update of rows, others skip locked\`
stream.on('end', close)
`
  assert.deepEqual(changed(text), [
    "without its condition: .onRef('a', '=', 'b')",
    "without its condition: .on('kind', '=', 'c')",
    "without its condition: .where('workspace_id', '=', 'w')",
    "without its condition: .where((is) => is.and([is('a', '=', 'b'), is.or([])]))",
    "without its condition: is('a', '=', 'b'),",
    'without its condition: is.or([])',
    'without its lock: .forUpdate()',
    "without its condition: and state = 'open'",
    'without its lock: for update of rows, others skip locked',
    "without its call: stream.on('end', close) -> ;",
  ])
})

test('swaps comparisons, and removes operands, negations and branches', () => {
  assert.deepEqual(changed("const a = x === 'a>b' && (y <= 2 || !z)"), [
    "without its operand of &&: x === 'a>b' &&",
    'with !==: === -> !==',
    'without its operand of &&: && (y <= 2 || !z)',
    'without its operand of ||: y <= 2 ||',
    'with <: <= -> <',
    'without its operand of ||: || !z',
    'without its !: !',
  ])
  assert.deepEqual(changed('const a = b && c && d'), [
    'without its operand of &&: b &&',
    'without its operand of &&: && c',
    'without its operand of &&: && d',
  ])
  assert.deepEqual(changed('const a = isOpen ? (b ?? c) : null'), [
    'with its consequent alone: isOpen ? (b ?? c) : null -> (b ?? c)',
    'with its alternate alone: isOpen ? (b ?? c) : null -> null',
  ])
})

test('changes a place once, and only so that the rest still parses', () => {
  for (const text of [
    'if (a) throw b\n;[c].map(d)',
    'const a = <T>(b: T) => !!b',
    'label: for (;;) if (a) break label',
  ]) {
    const texts = changesIn(text).map((change) => apply(text, change))
    assert.ok(texts.length > 0)
    assert.equal(new Set(texts).size, texts.length)
    for (const each of texts) assert.ok(each !== text && isParsed(each), each)
  }
})
