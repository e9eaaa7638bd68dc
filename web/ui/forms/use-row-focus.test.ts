import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { replaceGlobals } from '../../../tests/fixtures/page-element.ts'
import { hookUnderTest } from '../../hook-under-test.ts'
import { useRowFocus } from './use-row-focus.ts'

const features = join(import.meta.dirname, '../../features')

/** A list with these rows, each with one control, whose elements note their focus. */
function listOf(names: string[], focused: string[]) {
  const children = names.map((name) => ({ querySelector: () => ({ focus: () => focused.push(name) }) }))
  return { children, lastElementChild: children.at(-1) } as unknown as HTMLUListElement
}

it('the focus goes to the row in the place of the removed one, to the one before it, or to the button that adds one', () => {
  const body = {}
  const document = { body, activeElement: body as object, querySelector: () => null }
  const restore = replaceGlobals({ document })
  const focused: string[] = []
  let focus: ReturnType<typeof useRowFocus<HTMLUListElement>> | undefined
  const page = hookUnderTest(
    () => useRowFocus<HTMLUListElement>(),
    (shown) => (focus = shown),
  )
  try {
    page.show()
    const { list, adding, removed, added } = focus ?? assert.fail()
    adding.current = { focus: () => focused.push('add') } as unknown as HTMLButtonElement
    removed(0, () => (list.current = listOf(['second', 'third'], focused)))
    removed(1, () => (list.current = listOf(['second'], focused)))
    removed(0, () => (list.current = listOf([], focused)))
    assert.deepEqual(focused, ['second', 'second', 'add'])
    added(() => (list.current = listOf(['new'], focused)))
    assert.equal(focused.at(-1), 'new')
    document.activeElement = {}
    removed(0, () => (list.current = listOf(['left'], focused)))
    assert.equal(focused.at(-1), 'new', 'a focus that is still there stays')
  } finally {
    page.close()
    restore()
  }
})

type Control = { tag: string; isEnabled?: boolean }

/** A row with these controls in the order of the page, which answers for the selectors of a control. */
function rowOf(controls: Control[], focused: string[]) {
  const fits = ({ tag, isEnabled = true }: Control, selector: string) =>
    selector === tag || (isEnabled && selector === `${tag}:enabled`)
  const querySelector = (selectors: string) => {
    const found = controls.find((control) => selectors.split(', ').some((selector) => fits(control, selector)))
    return found && { focus: () => focused.push(found.tag) }
  }
  return { querySelector }
}

it('what is typed gets the focus before a picker or a button in front of it, and what is disabled gets none', () => {
  const restore = replaceGlobals({ document: { body: null, activeElement: null, querySelector: () => null } })
  const focused: string[] = []
  const phone = rowOf([{ tag: 'select' }, { tag: 'input' }, { tag: 'button' }], focused)
  const terms = rowOf([{ tag: 'button' }, { tag: 'input' }], focused)
  const archived = rowOf([{ tag: 'input', isEnabled: false }, { tag: 'button' }], focused)
  let focus: ReturnType<typeof useRowFocus<HTMLUListElement>> | undefined
  const page = hookUnderTest(
    () => useRowFocus<HTMLUListElement>(),
    (shown) => (focus = shown),
  )
  try {
    page.show()
    const { list, removed, added } = focus ?? assert.fail()
    const children = [phone, terms, archived]
    added(() => (list.current = { children, lastElementChild: phone } as unknown as HTMLUListElement))
    removed(1, () => undefined)
    removed(2, () => undefined)
    assert.deepEqual(focused, ['input', 'input', 'button'])
  } finally {
    page.close()
    restore()
  }
})

/** Rows of a form: removing one takes its own button away. */
const lists = [
  'desk-documents/category-dialog.tsx',
  'desk-forms/builder/options-editor.tsx',
  'desk-forms/form-panel.tsx',
  'desk-platforms/downloads-part.tsx',
  'desk-platforms/groups-part.tsx',
  'desk-providers/offer-part.tsx',
  'desk-settings/entry-list.tsx',
  'profile/phones-dialog.tsx',
]
/** They keep the focus in another way. */
const others = [
  'desk-forms/builder/condition-editor.tsx',
  'desk-forms/builder/field-card.tsx',
  'desk-forms/builder/step-head.tsx',
  'desk-forms/sent-names.tsx',
  'desk-settings/thresholds.tsx',
  'desk-settings/withdrawals-section.tsx',
  'forms/file-fields.tsx',
  'security/factor-rows.tsx',
]

it('every list whose rows can be removed keeps the focus', () => {
  const read = (file: string) => readFileSync(join(features, file), 'utf8')
  const removing = globSync('**/*.tsx', { cwd: features }).filter((file) => /t\('Remove [^']*\{\{/.test(read(file)))
  const known = [...lists, ...others, 'desk-platforms/row-actions.tsx', 'desk-providers/currency-row.tsx']
  assert.deepEqual(
    removing.filter((file) => !known.includes(file)),
    [],
  )
  assert.deepEqual(
    lists.filter((file) => !/\bfocus\.removed\(/.test(read(file))),
    [],
  )
  assert.deepEqual(
    others.filter((file) => !/focus(Heading)?WhenLost|useRemoval/.test(read(file))),
    [],
  )
})

/** Their controls take each other's place. */
const replacing = ['banking/qr-field.tsx', 'desk-platforms/downloads-part.tsx', 'forms/signature-field.tsx']

it('a field whose controls replace each other keeps the focus', () => {
  const read = (file: string) => readFileSync(join(features, file), 'utf8')
  assert.deepEqual(
    replacing.filter((file) => !/= useKeptFocus</.test(read(file))),
    [],
  )
})
