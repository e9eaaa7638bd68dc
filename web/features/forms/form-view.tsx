import type { Answers, Scores } from '@atrium/contract/forms/answers.ts'
import { Button } from '@mantine/core'
import {
  type FormEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Callout } from '../../ui/feedback/state.tsx'
import { useWrongFields } from '../../ui/forms/use-wrong-fields.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './form.module.css'
import { FormCell } from './form-field.tsx'
import { rowsOf } from './form-rows.ts'
import type { FormAct, FormPlace, FormStore } from './form-store.ts'
import type { OwnChoices } from './own-choices.ts'
import { ScoresCallout } from './scores-callout.tsx'
import { usePlace } from './use-field.ts'

type FormViewProps = {
  /** The form's accessible name. */
  label: string
  store: FormStore
  own: OwnChoices
  isSending?: boolean
  /** The form that sends the answers: its refusals focus the first invalid field. */
  element?: RefObject<HTMLFormElement | null>
  /** Why the answers were refused. */
  problem?: ReactNode
  /** Shown beside the buttons, e.g. the time of the last save. */
  note?: ReactNode
  /** Not called in a preview. */
  onSubmit: (answers: Answers) => void
}

/** A form as built by the brokerage; used in a request dialog, on a page, embedded, and as a staff preview. */
export function FormView({ label, store, own, isSending = false, element, problem, note, onSubmit }: FormViewProps) {
  const { t } = useTranslation()
  const place = usePlace(store)
  const { form, announce } = useWrongFields(element)
  const [message, setMessage] = useState<string | null>(null)
  const [tried, setTried] = useState<{ scores: Scores | null } | null>(null)
  const { definition } = store
  const step = definition.steps[place.step]
  const rows = useMemo(() => rowsOf(step?.fields ?? []), [step])

  const act = (asked: FormAct) => {
    if (isSending) return
    setMessage(null)
    setTried(null)
    // Leaving the step would unmount its fields and cancel a running upload.
    if (store.isHeld())
      return setMessage(t('A file is not completely uploaded yet. Please wait, or continue or remove it.'))
    if (asked === 'back') return store.back()
    const isLast = store.place().isLast
    const checked = asked === 'submit' || isLast ? store.check() : store.next()
    if (!checked.ok) {
      setMessage(checked.message ?? null)
      return announce(
        Object.entries(labelsOf(definition)).flatMap(([name, label]) => (checked.errors[name] ? [label] : [])),
      )
    }
    if (asked !== 'submit' && !isLast) return
    if (store.isPreview) setTried({ scores: checked.scores })
    else onSubmit(checked.accepted)
  }
  const latest = useRef(act)
  latest.current = act
  // A stable callback, so that fields do not re-render with the form.
  const onAct = useCallback((asked: FormAct) => latest.current(asked), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // Prevents submitting a surrounding form.
    event.stopPropagation()
    act(place.isLast ? 'submit' : 'next')
  }
  return (
    <form ref={form} data-stack="xl" data-shrink onSubmit={submit} noValidate aria-label={label}>
      {place.count > 1 && <Progress name={step?.name ?? ''} at={place.at} count={place.count} />}
      <div className={parts.rows} data-stack="lg">
        {rows.map(({ row, cells }) => (
          <div key={`${step?._id}-${row}`} className={parts.row}>
            {cells.map(({ field, span }) => (
              <FormCell
                key={field.input_name}
                store={store}
                field={field}
                span={span}
                own={own}
                onAct={onAct}
                // Only for buttons, so that other fields do not re-render.
                isSending={isSending && field.type === 'button'}
              />
            ))}
          </div>
        ))}
      </div>
      {message ? <Callout meaning="red">{t(message)}</Callout> : problem}
      {tried && (
        <>
          <Callout meaning="blue">{t('This is a preview: nothing was sent.')}</Callout>
          <ScoresCallout scores={tried.scores} />
        </>
      )}
      <div className={parts.actions} data-group="sm" data-align="center">
        <span className={parts.saved} role="status">
          {note}
        </span>
        {place.at > 0 && !place.ownActs.includes('back') && (
          <Button type="button" variant="default" disabled={isSending} onClick={() => act('back')}>
            {t('Back')}
          </Button>
        )}
        {!hasOwnWayOn(place) && (
          <Button type="submit" loading={isSending}>
            {place.isLast ? t('Submit Request') : t('Next')}
          </Button>
        )}
      </div>
    </form>
  )
}

/** True when the step has its own button to continue; on the last step, `next` and `submit` both submit. */
const hasOwnWayOn = ({ ownActs, isLast }: FormPlace): boolean =>
  ownActs.includes('next') || (isLast && ownActs.includes('submit'))

function Progress({ name, at, count }: { name: string; at: number; count: number }) {
  const { t } = useTranslation()
  const heading = useRef<HTMLHeadingElement>(null)
  const before = useRef(at)
  // Focuses the step heading after a step change, but not when the form opens.
  useEffect(() => {
    if (before.current !== at) heading.current?.focus()
    before.current = at
  }, [at])
  const share = Math.round(((at + 1) / count) * 100)
  return (
    <div data-stack="sm">
      <div data-group="md" data-align="baseline" data-justify="between">
        <h2 ref={heading} className={parts.stepName} tabIndex={-1}>
          {name}
        </h2>
        <span className={parts.stepAt}>{t('Step {{at}} of {{count}}', { at: at + 1, count })}</span>
      </div>
      <div
        className={parts.track}
        role="progressbar"
        aria-label={t('Progress')}
        aria-valuemin={1}
        aria-valuemax={count}
        aria-valuenow={at + 1}
      >
        <div style={{ width: `${share}%` }} />
      </div>
    </div>
  )
}

/** The labels of all fields, by their names on the wire. */
export const labelsOf = ({ steps }: FormStore['definition']): Record<string, string> =>
  Object.fromEntries(steps.flatMap(({ fields }) => fields.map(({ input_name, name }) => [input_name, name])))
