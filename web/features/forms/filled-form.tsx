import type { Answers } from '@atrium/contract/forms/answers.ts'
import { submissionTexts } from '@atrium/contract/requests/texts.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Button, Skeleton } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { ApiError, notSent } from '../../api/api-error.ts'
import { refuseOffline } from '../../api/transport.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { focusAtOnce } from '../../ui/feedback/brought-into-view.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { Callout, EmptyState } from '../../ui/feedback/state.tsx'
import { useReportDirty } from '../../ui/forms/use-report-dirty.ts'
import { time } from '../../ui/text/format.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import type { Keeping } from './draft-keeper.ts'
import parts from './form.module.css'
import { formDay, formZone } from './form-labels.ts'
import { createFormStore } from './form-store.ts'
import { FormView, labelsOf } from './form-view.tsx'
import { useDraft } from './use-draft.ts'
import { type OpenedForm, useOwnChoices } from './use-forms.ts'
import { type Carried, useOpening } from './use-opening.ts'

/** The input common to all submission calls. */
export type Filled = {
  form: string
  data: Answers
  version: number
  nonce_token: string
  draft?: string
  draft_revision: number | null
  time_zone: string
}

type FilledFormProps<Sent> = {
  formId: string
  label: string
  send: (filled: Filled) => Promise<Sent>
  onSent: (sent: Sent) => void
  /** Called when unsaved input appears and when it is saved. */
  onDirty?: (isDirty: boolean) => void
}

/** A form for members to fill in and submit; it continues and saves their draft. */
export function FilledForm<Sent>(props: FilledFormProps<Sent>) {
  const { t } = useTranslation()
  const { name, opened, carried, error, refetch, reopen, startOver } = useOpening(props.formId)
  if (error && !opened) return <ErrorState error={error} onRetry={() => refetch()} />
  if (opened === undefined)
    return (
      <div aria-busy="true">
        <Skeleton height={320} radius="lg" />
      </div>
    )
  if (opened === null)
    return <EmptyState drawing="search" title={t('Form not found')} text={t('It may have been removed.')} />
  const carriedOn = carried?.isSpare && opened.draft ? null : carried
  return (
    <OpenForm key={name} {...props} opened={opened} carried={carriedOn} onReopen={reopen} onStartOver={startOver} />
  )
}

type OpenFormProps<Sent> = FilledFormProps<Sent> & {
  opened: OpenedForm
  carried: Carried | null
  onReopen: (carry: Carried) => void
  onStartOver: () => Promise<void>
}

function OpenForm<Sent>({ opened, carried, label, send, onSent, onDirty, ...opening }: OpenFormProps<Sent>) {
  const { form, draft } = opened
  const [store] = useState(() =>
    createFormStore(form.definition, {
      answers: { ...draft?.answers, ...carried?.answers },
      step: draft?.step ?? carried?.step,
      today: formDay(),
    }),
  )
  const { keeper, keeping } = useDraft(store, opened, carried !== null)
  const own = useOwnChoices(form.definition)
  /** The idempotency key of the last submission attempt. */
  const tried = useRef<string | undefined>(undefined)
  const { isDirty } = keeping
  useReportDirty(isDirty, onDirty)

  const sending = useCallForm({
    start: { data: null as Answers | null },
    labels: labelsOf(form.definition),
    key: 'form_submit',
    send: async ({ data }, { key }) => {
      await refuseOffline()
      const known = await keeper.pause()
      if (keeper.isInDoubt())
        throw notSent(keeper.keeping().problem === 'sent' ? submissionTexts.sentAlready : texts.requestFailed)
      const begun = { ...(known && { draft: known._id }), draft_revision: known?.revision ?? null }
      tried.current = key
      return send({
        ...{ form: form._id, version: form.version, data: data ?? {}, time_zone: formZone(), nonce_token: key },
        ...begun,
      })
    },
    onDone: (sent) => {
      keeper.end()
      onSent(sent)
    },
    onRefused: (error) => {
      keeper.resume({ isElsewhere: isElsewhere(error), unheard: isUnheard(error) ? tried.current : undefined })
      if (!(error instanceof ApiError)) return
      const wrong = atFields(store.definition, error)
      if (wrong) store.showErrors(wrong.errors, wrong.step)
      if (error.fieldErrors.version) carryOver()
    },
  })
  const submit = (data: Answers) => {
    if (sending.isSubmitting) return
    tried.current = undefined
    sending.submit({ data })
  }
  const again = useRef(submit)
  again.current = submit
  const { data: sentLast } = sending.values
  const didCome = keeping.problem === 'sent' && !isDirty
  useEffect(() => {
    // Resending the same submission returns its original answer.
    if (didCome && sentLast) again.current(sentLast)
  }, [didCome, sentLast])
  /** Reopens the newly published form with the current input. */
  const carryOver = () => opening.onReopen({ answers: store.entered() })
  /** Reloads the saved draft; if it was submitted or discarded elsewhere, the current input is used. */
  const showSaved = () => opening.onReopen({ answers: store.entered(), step: store.place().step, isSpare: true })
  const beginAnew = async () => {
    try {
      await keeper.pause()
      await opening.onStartOver()
    } catch (error) {
      keeper.resume()
      sending.refuse((error as Error).message)
    }
  }
  return (
    <>
      <WayOn keeping={keeping} onShowSaved={showSaved} onCarryOver={carryOver} />
      <FormView
        label={label}
        store={store}
        own={own}
        element={sending.element}
        isSending={sending.isSubmitting}
        problem={<Refusal messages={sending.refusal} isUnknown={sending.isUnknown} />}
        note={<SavedNote keeping={keeping} onStartOver={draft && beginAnew} />}
        onSubmit={submit}
      />
    </>
  )
}

type WayOnProps = { keeping: Keeping; onShowSaved: () => void; onCarryOver: () => void }

/** Why saving has stopped, and the action that resolves it. */
function WayOn({ keeping: { problem, isDirty }, onShowSaved, onCarryOver }: WayOnProps) {
  const { t } = useTranslation()
  const way =
    problem === 'elsewhere'
      ? { why: submissionTexts.draftElsewhere, to: t('Load the saved version'), go: onShowSaved }
      : problem === 'changed'
        ? { why: submissionTexts.formChanged, to: t('Load the current form'), go: onCarryOver }
        : problem === 'sent' && isDirty
          ? { why: submissionTexts.sentAlready, to: t('Reopen the form'), go: onShowSaved }
          : null
  if (!way) return null
  return (
    <Callout meaning="amber">
      {t(way.why)}{' '}
      <Button variant="default" size="xs" onClick={way.go}>
        {way.to}
      </Button>
    </Callout>
  )
}

type NoteProps = { keeping: Keeping; onStartOver: (() => void) | null }

/** The time of the last save. */
function SavedNote({ keeping: { savedAt, isDirty, problem }, onStartOver }: NoteProps) {
  const { t } = useTranslation()
  if (problem === 'failed') return t('Not saved yet. We will try again in a few seconds.')
  // The callout above the form shows the problem.
  if (problem) return null
  if (isDirty) return t('Saving')
  if (savedAt === null) return null
  return (
    <>
      {t('Saved {{time}}', { time: time(savedAt) })}
      {onStartOver && <StartOver onStartOver={onStartOver} />}
    </>
  )
}

/** Asks in place: the frame of an embedded form is taller than the screen, and has no room for a dialog. */
function StartOver({ onStartOver }: { onStartOver: () => void }) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<'never' | 'now' | 'before'>('never')
  const button = { variant: 'subtle', size: 'compact-xs', className: parts.over ?? '' } as const
  if (asked !== 'now')
    return (
      <Button {...button} {...(asked === 'before' && { ref: focusAtOnce })} onClick={() => setAsked('now')}>
        {t('Start over')}
      </Button>
    )
  return (
    <>
      {' \u00b7 '}
      {t('Discard everything that you have entered?')}
      <Button {...button} onClick={onStartOver}>
        {t('Discard it')}
      </Button>
      <Button {...button} ref={focusAtOnce} onClick={() => setAsked('before')}>
        {t('Keep it')}
      </Button>
    </>
  )
}

/** True when the outcome is unknown. */
const isUnheard = (error: Error): boolean => error instanceof ApiError && error.isPassing

/** True when the server refused because another device saved the draft. */
const isElsewhere = (error: Error): boolean =>
  error instanceof ApiError && error.code === 'conflict' && error.fieldErrors.draft_revision !== undefined

/** The server's field errors, and the first step with one of them. */
function atFields({ steps }: OpenedForm['form']['definition'], { fieldErrors }: ApiError) {
  const step = steps.findIndex(({ fields }) => fields.some(({ input_name: name }) => Object.hasOwn(fieldErrors, name)))
  return step < 0 ? null : { errors: fieldErrors, step }
}
