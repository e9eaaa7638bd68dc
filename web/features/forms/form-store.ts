import {
  type CheckedAnswers,
  checkAnswers,
  type EnteredAnswers,
  initialAnswers,
  showForm,
  shownSteps,
} from '@atrium/contract/forms/answers.ts'
import type { FormDefinition, FormField } from '@atrium/contract/forms/definition.ts'
import { hasAnswer } from '@atrium/contract/forms/field-settings.ts'
import { readerLanguage } from '../../ui/text/format.ts'

/** What one field shows. The same object for as long as nothing of it changes, so that only what changed is drawn again. */
export type FieldState = { value: unknown; errors: readonly string[]; isShown: boolean }

export type FormAct = 'back' | 'next' | 'submit'

/** Where in the form somebody is. `at` counts the steps that are shown. */
export type FormPlace = {
  step: number
  at: number
  count: number
  isLast: boolean
  /** For which this step has buttons of its own, as it is shown now. */
  ownActs: readonly FormAct[]
}

type Beginning = {
  /** What a draft holds. */
  answers?: EnteredAnswers | undefined
  step?: number | undefined
  /** `yyyy-mm-dd`. */
  today: string
  /** Nothing is sent anywhere: neither answers nor the files in them. */
  isPreview?: boolean
}

const noErrors: readonly string[] = []

/**
 * A form while it is filled in. Each field is listened to by itself: a key that is pressed draws the field that it belongs
 * to, those that it shows or hides, and those that are calculated from it.
 */
export function createFormStore(
  definition: FormDefinition,
  { answers = {}, step: begun = 0, today, isPreview = false }: Beginning,
) {
  const fields = definition.steps.flatMap((step) => step.fields)
  let entered: Record<string, unknown> = { ...initialAnswers(definition), ...ofKnownFields(fields, answers) }
  let errors: Readonly<Record<string, readonly string[]>> = {}
  let edits = 0
  const states = new Map<string, FieldState>()
  let steps: readonly number[] = []
  let place: FormPlace = { step: begun, at: 0, count: 0, isLast: false, ownActs: [] }
  const listeners = new Map<string, Set<() => void>>()
  const ofPlace = new Set<() => void>()
  const ofEdits = new Set<() => void>()
  const underWay = new Set<string>()

  function stand(step: number): void {
    // A step that went away while somebody was in it leaves them in the one before.
    const here = steps.findLast((shown) => shown <= step) ?? steps[0] ?? 0
    const at = Math.max(0, steps.indexOf(here))
    const count = Math.max(1, steps.length)
    const isLast = at === count - 1
    const ownActs = (definition.steps[here]?.fields ?? []).flatMap(({ type, config: { button }, input_name: name }) =>
      type === 'button' && button && states.get(name)?.isShown ? [button] : [],
    )
    const isAsBefore = place.step === here && place.at === at && place.count === count && place.isLast === isLast
    if (isAsBefore && place.ownActs.join() === ownActs.join()) return
    place = { step: here, at, count, isLast, ownActs }
    for (const tell of ofPlace) tell()
  }

  function refresh(): void {
    const { shown: asked, values } = showForm(definition, entered)
    // A file that is on its way would be given up with its field: what hides it waits until it is there.
    const shown = underWay.size > 0 ? new Set([...asked, ...underWay]) : asked
    const changed: string[] = []
    for (const { input_name: name, type } of fields) {
      const before = states.get(name)
      const value = type === 'formula' ? (values[name] ?? '') : entered[name]
      const next = { value, errors: errors[name] ?? noErrors, isShown: shown.has(name) }
      if (before?.value === value && before?.errors === next.errors && before?.isShown === next.isShown) continue
      states.set(name, next)
      changed.push(name)
    }
    steps = shownSteps(definition, shown)
    for (const name of changed) for (const tell of listeners.get(name) ?? []) tell()
    stand(place.step)
  }

  function showErrors(found: Readonly<Record<string, readonly string[]>>, step: number): void {
    errors = found
    refresh()
    stand(step)
  }

  function judge(only?: { step: number }): CheckedAnswers {
    const checked = checkAnswers(definition, entered, { today, language: readerLanguage(), ...only })
    if (checked.ok) showErrors({}, place.step)
    else showErrors(checked.errors, checked.step)
    return checked
  }

  refresh()
  return {
    definition,
    isPreview,
    /** Names of files that were picked here, by their ids. */
    fileNames: new Map<string, string>(),
    /** A file of this field is on its way: until it is there the form can neither go on, nor back, nor be sent. */
    hold(name: string, isHeld: boolean): void {
      if (isHeld) underWay.add(name)
      else if (underWay.delete(name)) refresh()
    },
    isHeld: (): boolean => underWay.size > 0,
    field: (name: string): FieldState => states.get(name) ?? { value: undefined, errors: noErrors, isShown: false },
    place: (): FormPlace => place,
    /** How often something was entered: what was saved is told from what was not by it. */
    edits: (): number => edits,
    entered: (): Record<string, unknown> => entered,
    set(name: string, value: unknown): void {
      entered = { ...entered, [name]: value }
      const { [name]: _, ...others } = errors
      errors = others
      edits += 1
      refresh()
      for (const tell of ofEdits) tell()
    },
    showErrors,
    /** On to the next step, where this one is as it should be. */
    next(): CheckedAnswers {
      const checked = judge({ step: place.step })
      const following = steps[place.at + 1]
      if (checked.ok && following !== undefined) stand(following)
      return checked
    },
    /** Whatever is wrong with the step. */
    back(): void {
      const before = steps[place.at - 1]
      if (before !== undefined) stand(before)
    },
    /** The whole form; leads to the first step with something to put right. */
    check: (): CheckedAnswers => judge(),
    subscribe: (name: string) => (listener: () => void) => {
      const own = listeners.get(name) ?? new Set()
      listeners.set(name, own.add(listener))
      return () => {
        own.delete(listener)
      }
    },
    subscribeToPlace(listener: () => void) {
      ofPlace.add(listener)
      return () => {
        ofPlace.delete(listener)
      }
    },
    subscribeToEdits(listener: () => void) {
      ofEdits.add(listener)
      return () => {
        ofEdits.delete(listener)
      }
    },
  }
}

export type FormStore = ReturnType<typeof createFormStore>
/** A draft may be of a form that has lost a field since. What does not fit a field is kept: it was typed, and can be put right. */
function ofKnownFields(fields: readonly FormField[], answers: EnteredAnswers): Record<string, unknown> {
  const names = new Set(fields.filter(hasAnswer).map(({ input_name }) => input_name))
  return Object.fromEntries(Object.entries(answers).filter(([name]) => names.has(name)))
}
