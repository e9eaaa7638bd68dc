import type { CallInput } from '@atrium/contract/call.ts'
import { limits } from '@atrium/contract/limits.ts'
import { getUniqueToken } from '@atrium/contract/sessions/calls.ts'
import { texts } from '@atrium/contract/texts.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { notice } from '../ui/feedback/notice.ts'
import { useReportDirty } from '../ui/forms/use-report-dirty.ts'
import { useWrongFields } from '../ui/forms/use-wrong-fields.ts'
import { ApiError } from './api-error.ts'
import { errorLines } from './error-lines.ts'
import { type Errors, fieldsBy, placeErrors } from './form-errors.ts'
import { useIdempotencyKeyKeeper } from './idempotency-key-keeper.ts'
import { call } from './transport.ts'

type TokenKey = CallInput<typeof getUniqueToken>['token_key']

/** What a submission goes with: the form's idempotency key, and the end of the page that sent it. */
export type Post = { key: string; signal?: AbortSignal }

type Besides = 'notices' | 'button' | undefined
type Placed = { errors: Partial<Record<string, string[]>>; others: string[] }

/** What was sent, and what was to follow as the form stood then: the answer may change what it shows before that follows. */
type Attempt<Values, Answer> = { sent: Values; onDone: ((answer: Answer) => unknown) | undefined }

type CallFormSettings<Values extends object, Field extends string, Answer> = {
  start: Values
  /** What each field is called, in the order of the page. */
  labels: Record<Field, string>
  /** Every gap with its sentence, by the same rules as the server's. */
  check?: (values: Values) => Errors<Field>
  fieldFor?: (name: string, values: Values) => Field | null
  /** The fields whose messages no longer hold once a value is changed; the field of that name where nothing is said. */
  fieldsOf?: Partial<Record<keyof Values, readonly Field[]>>
  /** What else changes with a change. */
  withChange?: (before: Values, next: Partial<Values>) => Values
  /** Where its idempotency key is from: the server, for what the token is; or this page. Without one, sending twice is twice. */
  key?: TokenKey | 'own' | undefined
  send: (values: Values, post: Post) => Promise<Answer>
  onDone?: (answer: Answer) => unknown
  onRefused?: (error: Error) => unknown
  /** Awaited before the form can be sent again. */
  onSettled?: () => unknown
  /** After this refusal another press is another submission, not the same one again. */
  endsKey?: (error: ApiError) => boolean
  /** The form stays after it was sent and can be sent again: with another key, or with the same one until it is forgotten. */
  afterDone?: 'anew' | 'same'
  /** Something that the form needs is still on its way. */
  isWaiting?: boolean
  /** Said beside the button when a field is wrong. */
  incomplete?: string
  /** What stands in the form once it was sent; without it, what was sent. */
  startAfter?: (sent: Values) => Values
  /** Where the server's sentences about fields are said beside the fields themselves. */
  besides?: Besides
  /** Of the dialog around the form, which asks before it closes. */
  onDirty?: ((isDirty: boolean) => void) | undefined
}

/**
 * Values, messages and the one submission of a form that posts a call. What every form does: it is judged before it is sent, names its
 * wrong fields and moves the focus to the first of them, is sent once however often the button is pressed, keeps its idempotency key
 * until its outcome is known, and says so when it is not.
 */
export function useCallForm<Values extends object, Field extends string, Answer>(
  settings: CallFormSettings<Values, Field, Answer>,
) {
  const { labels, key, send, fieldFor = fieldsBy(labels) } = settings
  const { t } = useTranslation()
  const { form: element, tell } = useWrongFields()
  const [start, setStart] = useState(settings.start)
  const [values, setValues] = useState(start)
  const [errors, setErrors] = useState<Errors<Field>>({})
  const [refusal, setRefusal] = useState<string[]>([])
  const nonce = useIdempotencyKeyKeeper(() => fetchKey(key))
  const [isSent, setSent] = useState(false)
  const isUnderWay = useRef(false)

  const show = (found: Errors<Field>, said: string[]): boolean => {
    const wrong = (Object.keys(labels) as Field[]).filter((field) => found[field])
    setErrors(found)
    setRefusal(said)
    tell(wrong.map((field): string => labels[field]).map((label) => t(label)))
    return wrong.length === 0
  }
  /** From here on these are the values that nobody has changed. */
  const begin = (next: Values) => {
    setStart(next)
    setValues(next)
  }
  const attempt = useMutation({
    mutationFn: ({ sent }: Attempt<Values, Answer>) =>
      key ? nonce.send((token, signal) => send(sent, { key: token, signal })) : send(sent, { key: '' }),
    onSuccess: (answer, { sent, onDone }) => {
      if (settings.afterDone === 'anew') nonce.forget()
      // At once: where it leads elsewhere, the guard has to know by then that nothing would be lost.
      flushSync(() => {
        if (settings.startAfter) begin(settings.startAfter(sent))
        else setStart(sent)
        setSent(true)
      })
      return onDone?.(answer)
    },
    onError: (error, { sent }) => {
      settings.onRefused?.(error)
      if (!(error instanceof ApiError)) return show({}, [texts.requestFailed])
      if (settings.endsKey?.(error)) nonce.forget()
      const placed = placeErrors(error.fieldErrors, (name) => fieldFor(name, sent))
      if (settings.besides === 'notices')
        for (const line of errorLines(error.fieldErrors, t)) notice.warning(line, limits.toastShortMs)
      show(placed.errors, saidBeside(error, placed, settings.besides))
    },
    onSettled: async () => {
      try {
        await settings.onSettled?.()
      } finally {
        isUnderWay.current = false
      }
    },
  })
  const isDone = isSent && !settings.afterDone
  const isDirty = !isDone && JSON.stringify(values) !== JSON.stringify(start)
  useReportDirty(isDirty, settings.onDirty)

  const change = (next: Partial<Values>) => {
    setValues((before) => settings.withChange?.(before, next) ?? { ...before, ...next })
    const touched = Object.keys(next).flatMap((name) => settings.fieldsOf?.[name as keyof Values] ?? [name])
    setErrors((before) => without(before, touched))
  }
  const submit = () => {
    // State arrives with the next render; a second press in the same moment must not get through.
    if (isUnderWay.current || isDone) return
    const found = settings.check?.(values) ?? {}
    const isWhole = Object.keys(found).length === 0
    show(found, isWhole || !settings.incomplete ? [] : [settings.incomplete])
    if (!isWhole || settings.isWaiting) return
    isUnderWay.current = true
    attempt.mutate({ sent: values, onDone: settings.onDone })
  }
  return {
    /** For the form's `ref`: where the first wrong field is looked for. */
    element,
    values,
    errors,
    /** What no field can show, to be said beside the button. */
    refusal,
    error: attempt.error,
    /** No answer came: it may be done, and sending it again cannot do it twice. */
    isUnknown: attempt.isError && nonce.isInDoubt(),
    isSubmitting: attempt.isPending,
    answer: attempt.data,
    isDirty,
    change,
    submit,
    onSubmit(event: FormEvent) {
      event.preventDefault()
      submit()
    },
    errorOf: (field: Field) => errors[field]?.map((sentence) => t(sentence)).join(' '),
    /** Of these fields, or of all. */
    clearErrors: (...fields: Field[]) => setErrors((before) => (fields.length > 0 ? without(before, fields) : {})),
    /** Everything at once, as it was before a session ended. */
    restore: setValues,
    begin,
    mayBeDone: nonce.mayBeDone,
    /** The next submission is another one. */
    forgetKey: nonce.forget,
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

/** What the fields do not show, and the refusal itself where they show nothing. */
function saidBeside({ message }: ApiError, { errors, others }: Placed, besides: Besides): string[] {
  const placed = Object.values(errors).flatMap((sentences) => sentences ?? [])
  const listed = besides === 'button' ? [...placed, ...others] : others
  return [...new Set(placed.length > 0 ? listed : [message, ...others])]
}

const without = <Field extends string>(errors: Errors<Field>, fields: readonly string[]): Errors<Field> =>
  Object.fromEntries(Object.entries(errors).filter(([field]) => !fields.includes(field))) as Errors<Field>
