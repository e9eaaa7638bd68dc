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
import { type Listeners, makeListeners } from './listeners.ts'

/** The state of one field. Unchanged states keep their identity, so that only changed fields re-render. */
export type FieldState = { value: unknown; errors: readonly string[]; isShown: boolean }

export type FormAct = 'back' | 'next' | 'submit'

/** The current position. `at` counts only visible steps. */
export type FormPlace = {
  step: number
  at: number
  count: number
  isLast: boolean
  /** The actions for which the step shows its own buttons. */
  ownActs: readonly FormAct[]
}

type Beginning = {
  /** The answers of a draft. */
  answers?: EnteredAnswers | undefined
  step?: number | undefined
  /** `yyyy-mm-dd`. */
  today: string
  /** A preview sends neither answers nor files. */
  isPreview?: boolean
}

const noErrors: readonly string[] = []

/**
 * The state of a form while it is filled in. Each field has its own subscribers: an input re-renders only its field, the
 * fields that it shows or hides, and the fields calculated from it.
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
  const ofFields = new Map<string, Listeners>()
  const ofPlace = makeListeners()
  const ofEdits = makeListeners()
  const underWay = new Set<string>()

  function stand(step: number): void {
    // If the current step becomes hidden, the form moves to the step before.
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
    ofPlace.notify()
  }

  function refresh(): void {
    const { shown: asked, values } = showForm(definition, entered)
    // Hiding a field would cancel its upload, so it stays visible until the upload ends.
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
    for (const name of changed) ofFields.get(name)?.notify()
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
    /** Names of files picked in this session, by id. */
    fileNames: new Map<string, string>(),
    /** During an upload in this field, the form can neither change steps nor be submitted. */
    hold(name: string, isHeld: boolean): void {
      if (isHeld) underWay.add(name)
      else if (underWay.delete(name)) refresh()
    },
    isHeld: (): boolean => underWay.size > 0,
    field: (name: string): FieldState => states.get(name) ?? { value: undefined, errors: noErrors, isShown: false },
    place: (): FormPlace => place,
    /** The number of edits, for comparison with the last save. */
    edits: (): number => edits,
    entered: (): Record<string, unknown> => entered,
    set(name: string, value: unknown): void {
      entered = { ...entered, [name]: value }
      const { [name]: _, ...others } = errors
      errors = others
      edits += 1
      refresh()
      ofEdits.notify()
    },
    showErrors,
    /** Goes to the next step if this one is valid. */
    next(): CheckedAnswers {
      const checked = judge({ step: place.step })
      const following = steps[place.at + 1]
      if (checked.ok && following !== undefined) stand(following)
      return checked
    },
    /** Goes back even from an invalid step. */
    back(): void {
      const before = steps[place.at - 1]
      if (before !== undefined) stand(before)
    },
    /** Validates the whole form and goes to the first step with an error. */
    check: (): CheckedAnswers => judge(),
    subscribe: (name: string) => (listener: () => void) => {
      const own = ofFields.get(name) ?? makeListeners()
      ofFields.set(name, own)
      return own.add(listener)
    },
    subscribeToPlace: ofPlace.add,
    subscribeToEdits: ofEdits.add,
  }
}

export type FormStore = ReturnType<typeof createFormStore>
/** A draft may contain fields that the form has lost. Invalid values stay, so that the member can correct them. */
function ofKnownFields(fields: readonly FormField[], answers: EnteredAnswers): Record<string, unknown> {
  const names = new Set(fields.filter(hasAnswer).map(({ input_name }) => input_name))
  return Object.fromEntries(Object.entries(answers).filter(([name]) => names.has(name)))
}
