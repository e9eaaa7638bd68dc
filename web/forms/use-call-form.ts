import type { CallInput } from '@atrium/contract/call.ts'
import { limits } from '@atrium/contract/limits.ts'
import { getUniqueToken } from '@atrium/contract/sessions/calls.ts'
import { texts } from '@atrium/contract/texts.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ApiError } from '../api/api-error.ts'
import { errorLines } from '../api/error-lines.ts'
import { type Errors, fieldsBy, placeErrors } from '../api/form-errors.ts'
import { useIdempotencyKeyKeeper } from '../api/idempotency-key-keeper.ts'
import { call } from '../api/transport.ts'
import { toast } from '../ui/feedback/toast.ts'
import { useReportDirty } from '../ui/forms/use-report-dirty.ts'
import { useWrongFields } from '../ui/forms/use-wrong-fields.ts'
import { useTranslation } from '../ui/text/use-translation.ts'

type TokenKey = CallInput<typeof getUniqueToken>['token_key']

/** The form's idempotency key, and a signal that aborts when the page is left. */
export type Post = { key: string; signal?: AbortSignal }

/** The longest time between the two clicks of a double click. */
const doubleClickMs = 500

type Besides = 'toasts' | 'button' | undefined
type Placed = { errors: Partial<Record<string, string[]>>; others: string[] }

/** The values sent and the `onDone` at that time, since the answer may change the form before `onDone` runs. */
type Attempt<Values, Answer> = { sent: Values; onDone: ((answer: Answer) => unknown) | undefined }

export type CallFormSettings<Values extends object, Field extends string, Answer> = {
  start: Values
  /** Field labels, in page order. */
  labels: Record<Field, string>
  /** Validates the values by the server's rules. */
  check?: (values: Values) => Errors<Field>
  fieldFor?: (name: string, values: Values) => Field | null
  /** The fields whose messages a change of a value clears; by default the field of the same name. */
  fieldsOf?: Partial<Record<keyof Values, readonly Field[]>>
  /** Derives other values from a change. */
  withChange?: (before: Values, next: Partial<Values>) => Values
  /** The source of the idempotency key: the server, by token purpose, or this page. Without a key, sending twice executes twice. */
  key?: TokenKey | 'own' | undefined
  send: (values: Values, post: Post) => Promise<Answer>
  onDone?: (answer: Answer) => unknown
  onRefused?: (error: Error, sent: Values) => unknown
  /** Awaited before the form can be sent again, as is the result of `onRefused`. */
  onSettled?: () => unknown
  /** True when the next submission after this error needs a new key. */
  endsKey?: (error: ApiError) => boolean
  /** The form stays open after it is sent: `anew` takes a new key, `same` keeps the key until it is forgotten. */
  afterDone?: 'anew' | 'same'
  /** True while data that the form needs is loading. */
  isWaiting?: boolean
  /** The message beside the button when a field is invalid. */
  incomplete?: string
  /** The form's values after it is sent; by default the values sent. Fields changed since then keep their input. */
  startAfter?: (sent: Values, answer: Answer) => Values
  /** Whether the values hold input that would be lost; by default, whether they differ from the start. */
  isEdited?: (values: Values) => boolean
  /** Where the server's field messages appear in addition to the fields themselves. */
  besides?: Besides
  /** For the surrounding dialog, which asks before it discards changes. */
  onDirty?: ((isDirty: boolean) => void) | undefined
}

/**
 * The state of a form that posts a call. It validates before sending, focuses the first invalid field, sends once however often
 * the button is pressed, keeps its idempotency key until the outcome is known, and reports an unknown outcome.
 */
export function useCallForm<Values extends object, Field extends string, Answer>(
  settings: CallFormSettings<Values, Field, Answer>,
) {
  const { labels, key, send, fieldFor = fieldsBy(labels) } = settings
  const { t } = useTranslation()
  const { form: element, announce } = useWrongFields()
  const [start, setStart] = useState(settings.start)
  const [values, setValues] = useState(start)
  const [errors, setErrors] = useState<Errors<Field>>({})
  const [refusal, setRefusal] = useState<string[]>([])
  const keyKeeper = useIdempotencyKeyKeeper(() => fetchKey(key))
  const [isSent, setSent] = useState(false)
  const isUnderWay = useRef(false)
  const [isRefusalNew, setRefusalNew] = useState(false)
  useEffect(() => {
    if (!isRefusalNew) return
    const timer = setTimeout(() => {
      isUnderWay.current = false
      setRefusalNew(false)
    }, doubleClickMs)
    return () => clearTimeout(timer)
  }, [isRefusalNew])

  const show = (found: Errors<Field>, said: string[]): boolean => {
    const wrong = (Object.keys(labels) as Field[]).filter((field) => found[field])
    setErrors(found)
    setRefusal(said)
    announce(wrong.map((field): string => labels[field]).map((label) => t(label)))
    return wrong.length === 0
  }
  const attempt = useMutation({
    mutationFn: ({ sent }: Attempt<Values, Answer>) =>
      key ? keyKeeper.send((token, signal) => send(sent, { key: token, signal })) : send(sent, { key: '' }),
    onSuccess: (answer, { sent, onDone }) => {
      if (settings.afterDone === 'anew') keyKeeper.forget()
      // Synchronous, so that the unsaved-changes guard already sees a clean form when `onDone` navigates.
      flushSync(() => {
        const next = settings.startAfter?.(sent, answer) ?? sent
        setStart(next)
        setValues((now) => ({ ...next, ...changedSince(sent, now) }))
        setSent(true)
      })
      return onDone?.(answer)
    },
    onError: (error, { sent }) => {
      if (!(error instanceof ApiError)) show({}, [texts.requestFailed])
      else {
        if (settings.endsKey?.(error)) keyKeeper.forget()
        const placed = placeErrors(error.fieldErrors, (name) => fieldFor(name, sent))
        if (settings.besides === 'toasts')
          for (const line of errorLines(error.fieldErrors, t)) toast.warning(line, limits.toastShortMs)
        show(placed.errors, saidBeside(error, placed, settings.besides))
      }
      return settings.onRefused?.(error, sent)
    },
    // The values may hold a password. With 0, a form that is gone would look for its answer without a pause.
    gcTime: 1_000,
    onSettled: async (_answer, error) => {
      try {
        await settings.onSettled?.()
      } finally {
        // From now on a submission may do something else, which the second click of a double click must not confirm unseen.
        if (error instanceof ApiError && error.status === 409) setRefusalNew(true)
        else isUnderWay.current = false
      }
    },
  })
  const isDone = isSent && !settings.afterDone
  const isDirty = !isDone && (settings.isEdited?.(values) ?? JSON.stringify(values) !== JSON.stringify(start))
  useReportDirty(isDirty, settings.onDirty)

  const change = (next: Partial<Values>) => {
    setValues((before) => settings.withChange?.(before, next) ?? { ...before, ...next })
    const touched = Object.keys(next).flatMap((name) => settings.fieldsOf?.[name as keyof Values] ?? [name])
    setErrors((before) => without(before, touched))
  }
  const rebase = (next: Values, onTop: (now: Values) => Values) => {
    setStart(next)
    setValues(onTop)
    show({}, [])
    attempt.reset()
  }
  const begin = (next: Values) => rebase(next, () => next)
  /** Sends the values, with these changes for a button that stands for one of them. */
  const submit = (changes?: Partial<Values>) => {
    // State updates only with the next render, so a ref blocks a second press in the same tick.
    if (isUnderWay.current || isDone) return
    const sent = { ...values, ...changes }
    if (changes) setValues((now) => ({ ...now, ...changes }))
    const found = settings.check?.(sent) ?? {}
    const isWhole = Object.keys(found).length === 0
    show(found, isWhole || !settings.incomplete ? [] : [settings.incomplete])
    if (!isWhole || settings.isWaiting) return
    isUnderWay.current = true
    attempt.mutate({ sent, onDone: settings.onDone })
  }
  return {
    /** The form's `ref`, for focusing the first invalid field. */
    element,
    values,
    errors,
    /** Messages that no field can show, for display beside the button. */
    refusal,
    error: attempt.error,
    /** True when the outcome is unknown; sending again is safe because of the key. */
    isUnknown: attempt.isError && keyKeeper.isInDoubt(),
    isSubmitting: attempt.isPending || isRefusalNew,
    answer: attempt.data,
    isDirty,
    change,
    submit,
    onSubmit(event: FormEvent) {
      event.preventDefault()
      event.stopPropagation() // React passes the event on from a dialog to the form around it.
      submit()
    },
    errorOf: (field: Field) => errors[field]?.map((sentence) => t(sentence)).join(' '),
    /** Clears the errors of these fields, or of all. */
    clearErrors: (...fields: Field[]) => setErrors((before) => (fields.length > 0 ? without(before, fields) : {})),
    /** Restores all values, for example after an expired session. */
    restore: setValues,
    /** Begins again from these values. */
    begin,
    /** Continues on values that were saved elsewhere; `onTop` places the input of this moment on them. */
    rebase,
    undo: () => begin(start),
    mayBeDone: keyKeeper.mayBeDone,
    /** Gives the next submission a new key. */
    forgetKey: keyKeeper.forget,
    refuse: (sentence: string) => setRefusal([sentence]),
  }
}

export type CallForm<Values extends object, Field extends string, Answer> = ReturnType<
  typeof useCallForm<Values, Field, Answer>
>

async function fetchKey(key: TokenKey | 'own' | undefined): Promise<string> {
  if (key === undefined || key === 'own') return crypto.randomUUID()
  return (await call(getUniqueToken, { token_key: key })).token
}

/** The messages that no field shows, or the error's message when no field shows any. */
function saidBeside({ message }: ApiError, { errors, others }: Placed, besides: Besides): string[] {
  const placed = Object.values(errors).flatMap((sentences) => sentences ?? [])
  const listed = besides === 'button' ? [...placed, ...others] : others
  return [...new Set(placed.length > 0 ? listed : [message, ...others])]
}

/** The input of the fields that changed while the form was being sent. */
const changedSince = <Values extends object>(sent: Values, now: Values): Partial<Values> =>
  Object.fromEntries(
    Object.entries(now).filter(([name, value]) => value !== sent[name as keyof Values]),
  ) as Partial<Values>

const without = <Field extends string>(errors: Errors<Field>, fields: readonly string[]): Errors<Field> =>
  Object.fromEntries(Object.entries(errors).filter(([field]) => !fields.includes(field))) as Errors<Field>
