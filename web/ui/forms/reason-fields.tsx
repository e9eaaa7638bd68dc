import { limits } from '@atrium/contract/limits.ts'
import { Radio } from '@mantine/core'
import { Textarea } from '../fields/text-area.tsx'
import { useTranslation } from '../text/use-translation.ts'

/** The labels of the fields, for their form. */
export const reasonFieldLabels = { reason: 'Reason for the rejection', note: 'Note to the member (optional)' }

type ReasonFieldsProps<Reason extends string> = {
  reasons: readonly Reason[]
  labels: Record<Reason, string>
  form: {
    values: { reason: string | null; note: string }
    errorOf: (field: 'reason' | 'note') => string | undefined
    change: (next: { reason: Reason | null } | { note: string }) => void
  }
}

/** Why staff reject a request, and a note to the member. */
export function ReasonFields<Reason extends string>({ reasons, labels, form }: ReasonFieldsProps<Reason>) {
  const { t } = useTranslation()
  const { values, errorOf, change } = form
  return (
    <>
      <Radio.Group
        label={t(reasonFieldLabels.reason)}
        value={values.reason}
        onChange={(value) => change({ reason: reasons.find((name) => name === value) ?? null })}
        error={errorOf('reason')}
      >
        <div data-stack="sm" data-above="sm">
          {reasons.map((name, index) => (
            <Radio
              key={name}
              value={name}
              data-autofocus={index === 0 || undefined}
              label={t(labels[name])}
              size="xs"
            />
          ))}
        </div>
      </Radio.Group>
      <Textarea
        label={t(reasonFieldLabels.note)}
        size="sm"
        autosize
        minRows={2}
        maxRows={6}
        charsMax={limits.commentCharsMax}
        value={values.note}
        error={errorOf('note')}
        onChange={(event) => change({ note: event.currentTarget.value })}
      />
    </>
  )
}

type ReasonFieldProps = {
  label: string
  form: {
    values: { reason: string }
    errorOf: (field: 'reason') => string | undefined
    change: (next: { reason: string }) => void
  }
}

/** Why staff do something, in their own words; required. */
export function ReasonField({ label, form: { values, errorOf, change } }: ReasonFieldProps) {
  const { t } = useTranslation()
  return (
    <Textarea
      label={label}
      description={t('Visible to staff only.')}
      required
      autosize
      minRows={2}
      charsMax={limits.commentCharsMax}
      value={values.reason}
      error={errorOf('reason')}
      onChange={(event) => change({ reason: event.currentTarget.value })}
    />
  )
}
